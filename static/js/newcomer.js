/* Two tabs of a new browser that begin at the same time become one player: the first form of each brings the same random
   word, which the browser keeps for an hour. Forms that may make a player have a field for it; whoever has a cookie is
   known without, and the house does not read it. */
const KEPT = "tefuda.newcomer";
const HOUR = 3600 * 1000;
const FIELD = "[data-newcomer]";

function word() {
  const [at, kept] = (localStorage.getItem(KEPT) || "0 ").split(" ");
  if (kept && Math.abs(Date.now() - at) < HOUR) return kept;
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(KEPT, `${Date.now()} ${fresh}`);
  return fresh;
}

function fill(root) {
  const fields = root.querySelectorAll(FIELD);
  try {
    for (const field of fields) field.value = word();
  } catch { /* the browser keeps nothing for this site; the house says so */ }
}

fill(document); // so that a tab that is opened later finds the word
window.addEventListener("submit", (event) => fill(event.target), true);
