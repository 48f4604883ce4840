/* The coach's line: requested once all cards are in place, the verdict on the last decision or the hint for the next one,
   depending on the settings. The request is separate, so that no card waits for it; an answer that arrives after another
   decision was made finds its line gone. And the sheet with the odds of a decision, which are those of the odds desk, to
   which the link leads without scripts. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { all, announce, one, room } from "./common.js";

const AGAIN = 1000; // milliseconds until odds that are being computed are requested again
const GAP = 8; // pixels between the cards and the sheet with the odds
const LEAST = 260; // pixels of its height
const NARROWEST = 200; // pixels of its width
const BESIDE = "(min-width: 960px), (min-width: 560px) and (max-height: 520px)";

const line = () => document.getElementById("coach");
const sheet = () => document.getElementById("why");

const comma = /^(ja|zh)/.test(document.documentElement.lang) ? "、" : ", ";

/* What an element says, the names of its pictures among it: with commas between pictures, and between values. */
function words(element) {
  const copy = element.cloneNode(true);
  const named = all("[role=img]", copy).map((picture) => {
    const isFollowed = picture.nextElementSibling?.matches("[role=img]");
    return [picture, `${picture.ariaLabel}${isFollowed ? comma : " "}`];
  });
  for (const [picture, name] of named) picture.replaceWith(name);
  const said = (each) => each.textContent.trim().replace(/\s+/g, " ");
  if (!copy.matches(".coach__values")) return said(copy);
  const [what, ...values] = [...copy.children].map(said);
  return `${what} ${values.join(comma)}`;
}

let asked = null; // the line that was requested last: each is requested once
let isWanted = false; // the hint was asked for by its button

/* All cards are in place: request what the settings ask for. */
function look() {
  const said = line();
  if (!said || said === asked || said.textContent.trim() || said.closest("[data-held]")) return;
  asked = said;
  isWanted = false;
  const wanted = document.documentElement.dataset.coach;
  const place = said.closest(".coach");
  if (wanted === "before") one("form[data-hint]", place)?.requestSubmit();
  else if (wanted === "after" && place.dataset.verdict) {
    htmx.ajax("GET", place.dataset.verdict, { source: said, target: said, swap: "outerHTML" });
  }
}

async function wait() {
  await new Promise(requestAnimationFrame);
  if (room() && !("moving" in room().dataset)) look();
}

document.addEventListener("landed", look);
document.addEventListener("swapped", wait);
wait();

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const isPlaced = ctx.target?.id === "coach";
  if (isPlaced && (ctx.response.status >= 400 || !ctx.target.isConnected)) event.preventDefault(); // nothing is said
  if (ctx.target?.id === "why-body" && ctx.response.status >= 400) {
    event.preventDefault();
    location.assign(ctx.sourceElement.href);
  }
});

/* After a hint the button of the best action is the golden one, and the keyboard goes there from the one before. A hold
   is more than its verb: draw_button.js. */
function gild(verb) {
  const best = verb && one(`.dock .act--${CSS.escape(verb)}`, room());
  if (!best) return;
  const follows = document.activeElement.matches(".dock [data-focus]");
  for (const button of all(".dock .act", room())) {
    if (button.classList.contains("btn--primary")) button.classList.replace("btn--primary", "btn--due");
    button.toggleAttribute("data-focus", button === best);
  }
  best.classList.remove("btn--due");
  best.classList.add("btn--primary");
  if (follows) best.focus({ preventScroll: true });
}

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "coach") {
    const said = line();
    asked = said;
    const text = one(".coach__text", said);
    if (!text || ctx.response.status !== 200) return; // it is being computed, and asks again by itself
    announce(words(text));
    if ("asked" in said.dataset) gild(said.dataset.verb);
    // the button of the hint is gone, and Enter presses what the dock says
    if (isWanted && (document.activeElement === document.body || document.activeElement.closest("[data-hint]"))) one("[data-focus]", room())?.focus({ preventScroll: true });
  } else if (ctx.target?.id === "why-body" && ctx.response.status === 202) {
    setTimeout(() => { if (sheet().open) explain(ctx.sourceElement); }, AGAIN);
  }
});

/* ---- why ---- */

function explain(link) {
  htmx.ajax("GET", link.href, { source: link });
}

/* The sheet takes the room beside the cards on screens that are wide or low, else that under them: where it is not enough,
   the table is lifted as far as its cards are seen. */
function makeRoom() {
  const cards = all("[data-felt] [data-cards] .card, [data-felt] .card__tag--hold, [data-felt] .total").map((card) => card.getBoundingClientRect());
  const edge = (side, choose, none) => (cards.length ? choose(...cards.map((card) => card[side])) : none);
  const beside = innerWidth - edge("right", Math.max, 0) - GAP;
  const below = innerHeight - edge("bottom", Math.max, 0) - GAP;
  const isBeside = matchMedia(BESIDE).matches && beside > NARROWEST;
  const lift = isBeside ? 0 : Math.max(0, Math.min(LEAST - below, edge("top", Math.min, 0) - one("header").getBoundingClientRect().bottom - GAP));
  sheet().classList.toggle("why--beside", isBeside);
  sheet().style.setProperty("--room", `${isBeside ? beside : below + lift}px`);
  one(".table").style.translate = lift ? `0 ${-lift}px` : "";
}

function open(link) {
  const address = sheet().dataset.style;
  if (!one(`link[href="${CSS.escape(address)}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: address }));
  document.getElementById("why-body").replaceChildren(one("template", sheet()).content.cloneNode(true));
  one("[data-why-desk]", sheet()).href = link.href;
  makeRoom();
  sheet().showModal();
  one("[data-why-close]", sheet()).focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target === sheet() || target.closest("[data-why-close]")) return void sheet().close();
  if (target.closest("[data-hint] button")) {
    isWanted = true;
    asked = line();
  }
  const why = target.closest("[data-coach-why]");
  if (why && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) open(why);
  const button = target.closest("[data-coach-values]");
  if (!button) return;
  const on = button.getAttribute("aria-pressed") === "false";
  button.setAttribute("aria-pressed", String(on));
  const said = button.closest(".coach__said");
  const values = one(".coach__values", said);
  values.hidden = !on;
  one(".coach__text", said).hidden = on;
  if (on) announce(words(values));
});

document.addEventListener("close", (event) => {
  if (event.target !== sheet()) return;
  one(".table").style.translate = "";
  // Enter presses what the dock says, and does not open the sheet again
  (one(".dock [data-focus]") ?? one("[data-coach-why]"))?.focus({ preventScroll: true });
}, true);
