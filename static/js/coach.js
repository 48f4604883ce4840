/* Requests and shows the coach's line once all cards are in place: the verdict on the last decision or the hint for the
   next one, depending on the settings, and a hint when its button is pressed. The request is separate, so that no card
   waits for it; an answer that arrives after another decision was made is dropped. */
import { announce, later, one, room } from "./common.js";

const VERDICT = 6000; // milliseconds after which a verdict is no longer shown: it would be about a past decision
const HINT = 30000;
const AGAIN = 1000;

const place = () => one(".coach__said", room() ?? document);
const isStill = (said) => said === place() && !said.closest("[data-held]");

let asked = null; // the line that was requested last: each is requested once
let pending = null; // the pending request

async function ask(said, url, method, isWanted = false) {
  pending?.abort();
  const mine = new AbortController();
  pending = mine;
  const given = setTimeout(() => mine.abort(), method === "POST" ? HINT : VERDICT);
  try {
    for (;;) {
      const answer = await fetch(url, { method, signal: mine.signal, headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (!isStill(said)) return;
      const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("coach");
      if (answer.status !== 202 || isWanted) said = show(said, fresh, isWanted && answer.status === 200, !answer.ok);
      if (answer.status !== 202) return;
      await later(AGAIN);
      if (mine.signal.aborted || !isStill(said)) return;
    }
  } catch { /* aborted, or no connection: show nothing */ } finally {
    clearTimeout(given);
  }
}

function show(said, fresh, isHint, isRefused) {
  if (isRefused || !fresh) return said;
  said.replaceWith(fresh);
  asked = fresh;
  const words = one(".coach__text", fresh)?.textContent.trim().replace(/\s+/g, " ");
  if (words) announce(words);
  if (isHint) one("[data-coach-values]", fresh)?.focus({ preventScroll: true });
  return fresh;
}

/* All cards are in place: request what the settings ask for. */
function look() {
  const said = place();
  if (!said || said === asked || said.textContent.trim() || !isStill(said)) return;
  const wanted = document.documentElement.dataset.coach;
  const line = said.closest(".coach");
  const hint = one("form[data-hint]", line);
  asked = said;
  if (wanted === "before" && hint) ask(said, hint.action, "POST");
  else if (wanted === "after" && line.dataset.verdict) ask(said, line.dataset.verdict, "GET");
}

async function wait() {
  await new Promise(requestAnimationFrame);
  if (room() && !("moving" in room().dataset)) look();
}

document.addEventListener("landed", look);
document.addEventListener("swapped", wait);
wait();

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-hint]");
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  const said = place();
  asked = said;
  ask(said, form.action, "POST", true);
});

document.addEventListener("click", (event) => {
  const why = event.target.closest("[data-coach-why]");
  if (!why || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  import("./why.js").then(({ explain }) => explain(why)).catch(() => location.assign(why.href));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-coach-values]");
  if (!button) return;
  const on = button.getAttribute("aria-pressed") === "false";
  button.setAttribute("aria-pressed", String(on));
  const said = button.closest(".coach__said");
  const values = one(".coach__values", said);
  values.hidden = !on;
  one(".coach__text", said).hidden = on;
  if (on) announce(values.textContent.trim().replace(/\s+/g, " "));
});
