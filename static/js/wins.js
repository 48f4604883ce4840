/* Shows how great a win is, after the last card has landed: with transform and opacity only, ended by a tap or a key, and
   not at all with reduced motion. What stays is in the page from the beginning. docs/wins.md lists the tiers. Sends
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
let greatest = null; // the module glory.js, loaded with the first win that needs it

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
const made = (felt) => all(".hand--made > .card--makes, .card--win, .pile--won .card, .place--you .lie--won .card", felt);

/* ---- effects; each tier adds to the one below ---- */

/* Returns what waits for its end. */
function countUp() {
  const sum = one("[data-sum]");
  const [to, paid] = [Number(sum?.dataset.sum), Number(sum?.dataset.paid)];
  if (!paid) return null;
  const words = sum.textContent;
  const digits = new Intl.NumberFormat(document.documentElement.lang);
  const start = performance.now();
  let frame = 0;
  let done = () => {};
  sum.dataset.full = words; // keeps the width while shorter numbers are shown
  const step = (now) => {
    const part = Math.min(1, Math.max(0, now - start) / 400); // the time of a frame may be before the start
    sum.textContent = part < 1 ? digits.format(Math.round(to - paid * (1 - part) ** 2)) : words;
    if (part < 1) frame = requestAnimationFrame(step);
    else done();
  };
  step(start);
  ends.push(() => { cancelAnimationFrame(frame); sum.textContent = words; delete sum.dataset.full; });
  return new Promise((resolve) => { done = resolve; });
}

function flyCoins(felt) {
  const coin = one(".purse .coin");
  const paid = Number(one("[data-sum]")?.dataset.paid);
  const goal = paid ? coin : one(".score__sum b", felt) ?? one(".verdict strong", felt); // double-up: the amount that can be collected
  const from = made(felt)[0]?.closest(".hand, .picks, .boxes, .place") ?? one(".place--you, .verdict", felt);
  if (!coin || !goal || !from) return;
  const [a, b] = [from, goal].map((element) => element.getBoundingClientRect());
  const [x, y] = [a.left + a.width / 2, a.top + a.height / 2];
  const [dx, dy] = [b.left + b.width / 2 - x, b.top + b.height / 2 - y];
  for (let n = 0; n < 5; n += 1) {
    const flyer = coin.cloneNode(true);
    flyer.setAttribute("class", "wins__coin");
    Object.assign(flyer.style, { left: `${x - 11}px`, top: `${y - 11}px` });
    layer.append(flyer);
    const side = (n - 2) * 26;
    animate(flyer, [
      { opacity: 0, transform: "translate(0, 0) scale(.4)" },
      { opacity: 1, transform: `translate(${side}px, -18px) scale(1.1)`, offset: 0.28 },
      { opacity: 1, transform: `translate(${dx * 0.9}px, ${dy * 0.9}px) scale(1)`, offset: 0.9 },
      { opacity: 0, transform: `translate(${dx}px, ${dy}px) scale(.7)` },
    ], { duration: 620, delay: n * 65, fill: "both", easing: "cubic-bezier(.45, 0, .3, 1)" });
  }
  animate(coin, [{ transform: "none" }, { transform: "scale(1.35)" }, { transform: "none" }], { duration: 320, delay: 620 });
}

function sweepLight(felt) {
  const light = document.createElement("span");
  light.className = "wins__light";
  over(felt, "wins__felt").append(light);
  animate(light, [{ transform: "translateX(-110%)" }, { transform: "translateX(330%)" }], { duration: 950, easing: "ease-in-out", fill: "both" });
}

function growName(felt, most = 1.14) {
  animate(one(".verdict__name, .company__verdict", felt), [
    { transform: "none" }, { transform: `scale(${most})`, offset: 0.35 }, { transform: "none" },
  ], { duration: 900 });
}

function wave(felt) {
  made(felt).forEach((card, n) => animate(card, [
    { transform: "none" }, { transform: "translateY(-14px)", offset: 0.4 }, { transform: "none" },
  ], { duration: 460, delay: 80 + n * 75, easing: "ease-in-out" }));
}

function dim(felt) {
  animate(over(felt, "wins__dark"), [{ opacity: 0 }, { opacity: 0.28, offset: 0.4 }, { opacity: 0 }], { duration: 240, fill: "both", easing: "linear" });
}

/* ---- when ---- */

function fetchGreatest() {
  greatest ??= import("./glory.js").catch(() => { greatest = null; });
  return greatest;
}

/* The purse starts counting at once, otherwise its final value would flash; all other effects start with the next frame. */
function show() {
  const told = toldBy();
  if (!told || told.dataset.moment === seen) return;
  seen = told.dataset.moment;
  finish();
  if (isStill()) { tell(told); return; }
  const own = running;
  due = told;
  const counted = countUp();
  afterFrame(() => { if (due === told) begin(told, own, counted); });
}

function tell(told) {
  due = null;
  const detail = { tier: Number(told.dataset.tier), isLost: "lost" in told.dataset };
  document.dispatchEvent(new CustomEvent("result-shown", { detail }));
  return detail;
}

async function begin(told, own, counted) {
  const { tier, isLost } = tell(told);
  const felt = one("[data-felt]", root());
  if (!felt) return;
  const great = tier === 3 ? await fetchGreatest() : null;
  if (running !== own || !felt.isConnected) return;
  layer = document.createElement("div");
  layer.className = "wins";
  layer.setAttribute("aria-hidden", "true");
  // measure first: measurements after a change cost a layout
  if (tier === 1 || (tier && Number(one("[data-sum]")?.dataset.paid))) flyCoins(felt);
  if (isLost) dim(felt);
  if (great && one(".glory", felt)) great.glorify(one(".glory", felt), felt, clothOf(felt), animate, ends);
  else if (tier > 1) { sweepLight(felt); growName(felt); wave(felt); }
  document.body.append(layer);
  Promise.allSettled([counted, ...own.map((animation) => animation.finished)]).then(() => { if (running === own) finish(); });
}

/* Wait until all cards have landed. */
async function wait() {
  const fresh = root();
  await new Promise(requestAnimationFrame);
  if (!fresh || fresh !== root()) return;
  if (toldBy()?.dataset.tier === "3" && toldBy().dataset.moment !== seen) fetchGreatest();
  if ("moving" in fresh.dataset) return; // "landed" will be sent
  show();
}

document.addEventListener("swapping", finish);
document.addEventListener("swapped", wait);
document.addEventListener("landed", show);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, finish);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });
