/* The menu, below its button at a desk, else a sheet at the bottom of the window. Its settings apply at once. The sheet
   covers no card: it is lower and scrolls, and where that is not enough the table is moved up. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { all, one, room, stateOf } from "./common.js";

const GAP = 8;
const CARDS = "main .card";
const LEAST = 140; // pixels of a sheet: three rows
const FEW = 180; // less than four rows: the table is moved up for more, if there is room above the cards
const GOOD = 270; // five rows
const LOW = "(max-height: 520px)";
const DESK = "(min-width: 960px) and (min-height: 521px)";

const sheet = () => document.getElementById("menu");

/* Let no sheet over the dock cover a card; without one the cards are in their place. They go up as far as the bar for a few
   rows of it, in a low window for all of it. */
export function lift(over) {
  const main = one("main");
  if (!main) return;
  main.style.translate = "";
  if (!over) return;
  over.style.maxHeight = over.style.translate = "";
  const { top, bottom, left, height } = over.getBoundingClientRect();
  const cards = all(CARDS, main).filter((card) => !over.contains(card)).map((card) => card.getBoundingClientRect());
  const lowest = Math.max(0, ...cards.filter(({ right }) => right > left).map(({ bottom }) => bottom));
  const covered = lowest + GAP - top;
  if (covered <= 0) return;
  const rest = height - covered;
  const above = Math.min(...cards.map((card) => card.top)) - one("header").getBoundingClientRect().bottom - GAP;
  const wanted = matchMedia(LOW).matches ? height : rest < FEW ? GOOD : FEW;
  const most = Math.max(LEAST, Math.min(height, wanted, rest + above));
  over.style.maxHeight = `${Math.max(most, rest)}px`;
  if (rest >= most) return;
  main.style.translate = `0 ${rest - most}px`;
  // it stays where it is, though it is fixed in what moves now, which may be longer than the window
  if (main.contains(over)) over.style.translate = `0 ${bottom - over.getBoundingClientRect().bottom}px`;
}

/* The page in another language opens with the focus on the same button. */
function open({ id }) {
  leadTo(one("[data-menu-rules]"), one("[data-help]")?.href);
  leadTo(one("[data-menu-drill]"), one("[data-drill]")?.dataset.drill);
  one("[data-menu-next]").value = `${room()?.dataset.board ?? location.pathname + location.search}#${id}`;
  sheet().showModal();
  if (one("#room.room--play") && !matchMedia(DESK).matches) lift(sheet());
}

function leadTo(link, address) {
  link.hidden = !address;
  if (address) link.href = address;
}

function show(button, on) {
  const { pref, off } = button.dataset;
  const page = document.documentElement;
  const value = on ? button.value : off;
  if (pref === "four") page.classList.toggle("four-colour", on);
  else page.dataset[pref] = value;
  if (pref === "sound") changeSound(value);
  for (const each of all(`[data-pref="${pref}"]`)) each.setAttribute("aria-pressed", String(each === button && on));
  keep(pref, value);
}

function keep(pref, value) {
  htmx.ajax("POST", sheet().dataset.settings, { source: sheet(), values: { [pref]: value } });
}

document.addEventListener("click", (event) => {
  const target = event.target;
  const opener = target.closest("[data-menu]");
  if (opener && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    open(opener);
  } else if (target === sheet() || target.closest("[data-menu-close]")) {
    sheet().close();
  } else if (target.closest("[data-pref]")) {
    const button = target.closest("[data-pref]");
    show(button, button.dataset.off === undefined || button.getAttribute("aria-pressed") === "false");
  }
});
/* Load the sounds when they are switched on. */
const sounds = () => import("./sound.js");

function changeSound(value) {
  document.documentElement.dataset.sound = value;
  if (stateOf(room())?.dataset.sound) stateOf(room()).dataset.sound = value; // at a shared table
  if (value === "1") sounds().then(({ sample }) => sample()).catch(() => {});
}
if (document.documentElement.dataset.sound === "1") sounds().catch(() => {});

/* A question between two hands: the answer sets a preference, and the question is removed. */
document.addEventListener("submit", (event) => {
  const asked = event.target.closest("[data-ask]");
  if (!asked) return;
  const { name, value } = event.submitter;
  if (name === "sound") {
    for (const each of all('[data-pref="sound"]')) each.setAttribute("aria-pressed", String(value === "1"));
    changeSound(value);
  }
  asked.remove();
  one("[data-focus]")?.focus({ preventScroll: true });
});

document.addEventListener("close", (event) => { if (event.target === sheet()) lift(null); }, true);
