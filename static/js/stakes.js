/* Shows what is staked while a hand is played: a disc goes from the purse to where it will lie, and the purse counts down at
   once. Chips on the felt have `data-laid`, and the name of their part is that in `data-after`. */
import { chipOf } from "./bets.js";
import { all, one } from "./common.js";
import { plugStakes } from "./motion.js";
import { STAKE } from "./pace.js";

const DISC = 22; // pixels

const nameOf = (laid) => laid.closest("[data-after]").dataset.after;

/* The chips on the felt by the names of their parts. */
const laidIn = (root) => new Map(all("[data-laid]", root).map((laid) => [nameOf(laid), Number(laid.dataset.laid)]));

/* The parts to which chips were added, and how many. */
const raised = (before, now) =>
  Array.from(now, ([name, chips]) => ({ name, chips: chips - (before.get(name) ?? 0) })).filter(({ chips }) => chips > 0);

/* Measure the way of each disc: from the purse to the chips that lie there, or to the part where they will. */
function waysOf(raises, felt, root) {
  const purse = all(".purse .coin, .purse__sum", root).map((part) => part.getBoundingClientRect());
  const coin = purse.find(({ width }) => width); // on narrow screens there is none
  if (!coin) return [];
  return raises.map(({ name, chips }) => {
    const part = one(`[data-after="${name}"]`, felt);
    const { left, top, width, height } = (one("[data-laid]", part) ?? part).getBoundingClientRect();
    const [x, y] = [coin.left + (coin.width - DISC) / 2, coin.top + (coin.height - DISC) / 2];
    return { chip: chipOf(chips), x, y, dx: left + (width - DISC) / 2 - x, dy: top + (height - DISC) / 2 - y };
  });
}

/* Throw a disc on each way. Returns a function that ends it. */
function throwDiscs(ways) {
  const layer = document.createElement("div");
  layer.className = "wins";
  layer.setAttribute("aria-hidden", "true");
  for (const { chip, x, y, dx, dy } of ways) {
    const disc = document.createElement("i");
    disc.className = `disc chip--${chip}`;
    Object.assign(disc.style, { display: "block", left: `${x}px`, top: `${y}px`, width: `${DISC}px`, height: `${DISC}px` });
    disc.animate(
      [{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px)` }],
      { duration: STAKE, easing: "cubic-bezier(.45, 0, .3, 1)", fill: "both" });
    layer.append(disc);
  }
  document.body.append(layer);
  const end = () => layer.remove();
  setTimeout(end, STAKE);
  return end;
}

/* Count a purse down from what was in it, as wide as it was. Calls `end` with the last number. */
export function countPurse(sum, from, to, end = () => {}) {
  const digits = new Intl.NumberFormat(document.documentElement.lang);
  const start = performance.now();
  sum.dataset.full = digits.format(from);
  const step = (now) => {
    const part = Math.min(1, Math.max(0, now - start) / STAKE);
    sum.textContent = digits.format(Math.round(from + (to - from) * part));
    if (part === 1) end();
    else if (sum.isConnected) requestAnimationFrame(step);
  };
  step(start);
}

/* Count the purse down by what was staked. It is that of the old state, which is replaced with the result. */
function countDown(raises, root) {
  const sum = one("[data-sum]", root);
  const staked = raises.reduce((whole, { chips }) => whole + chips, 0);
  if (!sum) return;
  const from = Number(sum.dataset.sum);
  sum.parentElement.dataset.told = "";
  countPurse(sum, from, from - staked);
}

plugStakes({ countDown, laidIn, raised, throwDiscs, waysOf });
