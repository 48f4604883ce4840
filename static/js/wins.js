/* Shows how great a win is, after the last card has landed: with transform and opacity only, ended by a tap or a key, and
   not at all with reduced motion. What stays is in the page from the beginning. docs/wins.md lists the tiers; most
   effects are in glory.js. Sends
   "result-shown" on the document, with the tier, when it begins. */
import { afterFrame, all, one, room } from "./common.js";

const OUT = "cubic-bezier(.2, .8, .25, 1)";

const isStill = () =>
  document.hidden || document.documentElement.dataset.speed === "fast" || matchMedia("(prefers-reduced-motion: reduce)").matches;
const root = () => document.getElementById("finish") || room();
/* The element with the tier of the win: the felt, or the room of a shared table. */
const toldBy = () => (root()?.matches("[data-moment]") ? root() : one("[data-moment]", root() ?? document));

let seen = toldBy()?.dataset.moment; // the win that was shown last; none at first is that of the loaded page
let running = [];
let due = null; // the element of a win whose effect starts with the next frame
let layer = null;
let ends = [];
let glory = null; // the module glory.js, loaded with the first win that needs it

function finish() {
  const was = running;
  if (due) tell(due);
  running = [];
  was.forEach((animation) => animation.finish());
  ends.splice(0).forEach((end) => end());
  layer?.remove();
  layer = null;
}

function animate(element, frames, options) {
  if (!element) return;
  running.push(element.animate(frames, { easing: OUT, fill: "backwards", ...options }));
}

/* Create an element over the cloth of the table down to the end of the felt; on a phone the dock is on the cloth, too. */
function over(felt, className) {
  const { left, top, width, bottom } = clothOf(felt).getBoundingClientRect();
  const height = Math.min(bottom, felt.getBoundingClientRect().bottom) - top;
  const part = document.createElement("span");
  part.className = className;
  Object.assign(part.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  layer.append(part);
  return part;
}

const clothOf = (felt) => one(".table__cloth", root()) ?? felt;
const made = (felt) => all(".hand--made > .card--makes, .line--pays > .hand--line, .card--win, .pile--won .card, .place--you .lie--won .card", felt);

/* ---- effects; each tier adds to the one below ---- */

/* Set the purse back to what it held before the gain beside it; a bet that comes back is in it at once. Returns a function that shows it with a share of that. */
function holdPurse() {
  const sum = one("[data-sum]");
  const [to, gain] = [Number(sum?.dataset.sum), Number(sum?.dataset.gain)];
  if (!gain) return null;
  const words = sum.textContent;
  const digits = new Intl.NumberFormat(document.documentElement.lang);
  let isOver = false;
  const fill = (share) => { if (!isOver) sum.textContent = share < 1 ? digits.format(Math.round(to - gain * (1 - share))) : words; };
  sum.dataset.full = words; // keeps the width while shorter numbers are shown
  fill(0);
  ends.push(() => { fill(1); isOver = true; delete sum.dataset.full; });
  return fill;
}

/* Returns what waits for its end. */
function countUp(fill) {
  const start = performance.now();
  let frame = 0;
  let done = () => {};
  const step = (now) => {
    const part = Math.min(1, Math.max(0, now - start) / 400); // the time of a frame may be before the start
    fill(1 - (1 - part) ** 2);
    if (part < 1) frame = requestAnimationFrame(step);
    else done();
  };
  step(start);
  ends.push(() => cancelAnimationFrame(frame));
  return new Promise((resolve) => { done = resolve; });
}

/* The two cards of a pair that pays nod to each other. */
function nod(felt) {
  const pair = made(felt);
  if (pair.length !== 2) return;
  pair.forEach((card, n) => animate(card, [
    { transform: "none" }, { transform: `translateX(${n ? -4 : 4}px)` }, { transform: "none" },
  ], { duration: 140, easing: "ease-in-out" }));
}

function dim(felt) {
  animate(over(felt, "wins__dark"), [{ opacity: 0 }, { opacity: 0.28, offset: 0.4 }, { opacity: 0 }], { duration: 240, fill: "both", easing: "linear" });
}

/* ---- when ---- */

function fetchGlory() {
  glory ??= import("./glory.js").catch(() => { glory = null; });
  return glory;
}

/* The final value of the purse, and the picture with which the greatest win ends, would flash before the effects, which start
   with the next frame. */
function show() {
  const told = toldBy();
  if (!told || told.dataset.moment === seen) return;
  seen = told.dataset.moment;
  finish();
  if (isStill()) { tell(told); return; }
  const own = running;
  due = told;
  const fill = holdPurse();
  const crested = told.dataset.tier === "3" && one(".glory", root());
  if (crested) {
    crested.classList.add("glory--due");
    ends.push(() => crested.classList.remove("glory--due"));
  }
  afterFrame(() => { if (due === told) begin(told, own, fill); });
}

function tell(told) {
  due = null;
  const detail = { tier: Number(told.dataset.tier), isLost: "lost" in told.dataset };
  document.dispatchEvent(new CustomEvent("result-shown", { detail }));
  return detail;
}

async function begin(told, own, fill) {
  const { tier, isLost } = tell(told);
  const felt = one("[data-felt]", root());
  const great = tier ? await fetchGlory() : null;
  if (running !== own) return;
  if (!felt) { finish(); return; }
  layer = document.createElement("div");
  layer.className = "wins";
  layer.setAttribute("aria-hidden", "true");
  const crested = tier === 3 && one(".glory", felt);
  // measure first: measurements after a change cost a layout
  const coins = (tier === 1 || fill) && great?.flyCoins(felt, made(felt), fill, layer, animate, ends);
  const counted = fill && !coins ? countUp(fill) : null;
  if (isLost) dim(felt);
  if (crested) great?.glorify(crested, felt, clothOf(felt), animate, ends);
  else if (tier > 1) great?.shine(over(felt, "wins__felt"), felt, made(felt), animate);
  else if (!tier && !isLost) nod(felt);
  document.body.append(layer);
  Promise.allSettled([counted, ...own.map((animation) => animation.finished)]).then(() => { if (running === own) finish(); });
}

/* Wait until all cards have landed. */
async function wait() {
  const fresh = root();
  await new Promise(requestAnimationFrame);
  if (!fresh || fresh !== root()) return;
  if (toldBy()?.dataset.tier > 0 && toldBy().dataset.moment !== seen) fetchGlory();
  if ("moving" in fresh.dataset) return; // "landed" will be sent
  show();
}

document.addEventListener("swapping", finish);
document.addEventListener("swapped", wait);
document.addEventListener("landed", show);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, finish);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });
