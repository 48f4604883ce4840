/* The buttons of an exchange. The main one is at the right, and Enter presses it: it holds the cards that pay, keeps the
   hand, or draws. It is golden where it is certainly right: for the marks that the page, or the coach, recommends. The
   draw button shows how many cards it draws, and is guarded (guard.js) when it would give up a full house or better. */
import { all, one } from "./common.js";
import { guard } from "./guard.js";

const EVERY = ["1", "2", "3", "4", "5"];
const places = (text) => text.split(" ").filter(Boolean);

/* Positions that the coach has just said to hold; null if it was not asked. To stop is to keep all five. */
function hinted(row) {
  const line = one("#coach[data-asked]");
  if (line?.dataset.verb === "stop") return EVERY;
  if (line?.dataset.verb !== "hold") return null;
  const held = places(line.dataset.args);
  return held.length === 5 && "goesOn" in row.dataset ? null : held;
}

function show() {
  const row = one("[data-sure]");
  if (!row) return;
  const [draw, keep, tap] = ["[data-draw]", "[data-keep]", "[data-hold-sure]"].map((which) => one(which, row));
  if (!draw) return; // the page was cut short on its way
  const held = all("[data-mark]:checked").map((mark) => mark.value);
  const hint = hinted(row);
  const sure = hint ?? places(row.dataset.sure);
  const agrees = (hint || sure.length > 0) && sure.join() === held.join();
  const byOneTap = tap && !hint && !held.length;
  const keeps = keep && (held.length === 5 || ("keeps" in row.dataset && !held.length && !agrees));
  const main = byOneTap ? tap : keeps ? keep : draw;
  const golden = (byOneTap && sure.length > 0) || agrees || (keeps && sure.length === 5);
  const waits = main === draw && !held.length && !hint;
  const focused = document.activeElement?.closest("[data-sure] button");

  for (const button of [draw, keep, tap].filter(Boolean)) {
    const first = button === main;
    button.classList.toggle("dock__main", first);
    button.classList.toggle("btn--primary", first && golden);
    button.classList.toggle("btn--due", first && !golden && !waits);
    button.toggleAttribute("data-focus", first);
    const { key } = button.dataset;
    button.setAttribute("aria-keyshortcuts", first ? `Enter Space ${key}`.trim() : key);
    one(".key", button).textContent = first ? "Enter" : key;
  }
  if (tap) tap.hidden = !byOneTap;
  draw.toggleAttribute("data-away", Boolean(byOneTap));
  draw.toggleAttribute("data-idle", Boolean(keep) && held.length === 5);
  if (focused?.matches(".dock__row button") && focused !== main) main.focus({ preventScroll: true });

  const price = one("[data-gives-up]", draw);
  const short = places(draw.dataset.making).some((place) => !held.includes(place));
  if (price) price.hidden = !short;
  guard(draw, short, draw.getAttribute(`data-draw-${held.length}`));
}

/* What the coach would hold is held. */
function follow() {
  const row = one("[data-sure]");
  const held = row && hinted(row);
  if (!held) return;
  for (const box of all("[data-mark]")) {
    const wanted = held.includes(box.value);
    if (box.checked === wanted) continue;
    box.checked = wanted;
    box.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "coach" }));
  }
  show();
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-mark]")) show(); });
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => { if (ctx.target?.id === "coach") follow(); });
document.addEventListener("submit", (event) => {
  if (event.target.id !== "sure") return;
  const held = all("[name=arg]", event.target).map(({ value }) => value);
  for (const box of all("[data-mark]")) box.checked = held.includes(box.value); // lifted while the answer is on its way
});
document.addEventListener("wake", show);
show();
