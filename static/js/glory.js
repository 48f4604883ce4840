/* The effects of wins of the tiers 1, 2 and 3, with transform and opacity only. The parameters `animate` and `ends` are
   wins.js's, which also ends what is started here. `cards`: those that have won. */
import { all, one } from "./common.js";

const COINS = 5;
const FLIGHT = 620; // milliseconds of a coin

/* Coins fly to the purse if it was paid (`fill` shows it with a share of that), and each that arrives adds its own. Returns true
   if they fly. */
export function flyCoins(felt, cards, fill, layer, animate, ends) {
  const coin = one(".purse .coin");
  const goal = fill ? coin : one(".score__sum b", felt) ?? one(".verdict strong", felt); // double-up: the amount that can be collected
  const from = cards[0]?.closest(".hand, .picks, .boxes, .place") ?? one(".place--you, .verdict", felt);
  if (!coin || !goal || !from) return false;
  const [a, b] = [from, goal].map((element) => element.getBoundingClientRect());
  const [x, y] = [a.left + a.width / 2, a.top + a.height / 2];
  const [dx, dy] = [b.left + b.width / 2 - x, b.top + b.height / 2 - y];
  for (let n = 0; n < COINS; n += 1) {
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
    ], { duration: FLIGHT, delay: n * 65, fill: "both", easing: "cubic-bezier(.45, 0, .3, 1)" });
    const lands = fill && setTimeout(() => fill((n + 1) / COINS), FLIGHT + n * 65);
    ends.push(() => clearTimeout(lands));
  }
  animate(coin, [{ transform: "none" }, { transform: "scale(1.35)" }, { transform: "none" }], { duration: 320, delay: FLIGHT });
  return true;
}

/* Light sweeps over the felt, the name grows, and the cards wave. `sky`: the layer over the felt. */
export function shine(sky, felt, cards, animate) {
  const light = document.createElement("span");
  light.className = "wins__light";
  sky.append(light);
  animate(light, [{ transform: "translateX(-110%)" }, { transform: "translateX(330%)" }], { duration: 950, easing: "ease-in-out", fill: "both" });
  animate(one(".verdict__name, .company__verdict", felt), [
    { transform: "none" }, { transform: "scale(1.14)", offset: 0.35 }, { transform: "none" },
  ], { duration: 900 });
  cards.forEach((card, n) => animate(card, [
    { transform: "none" }, { transform: "translateY(-14px)", offset: 0.4 }, { transform: "none" },
  ], { duration: 460, delay: 80 + n * 75, easing: "ease-in-out" }));
}

/* The felt darkens around the cards; they open into an arc, a frame is drawn around them, and the seal appears. */
export function glorify(glory, felt, cloth, animate, ends) {
  // measure everything before changing anything, to avoid a layout for each measurement
  const cards = all(".hand > .card", glory);
  const centres = () => cards.map((card) => card.getBoundingClientRect()).map(({ left, right }) => (left + right) / 2);
  const row = centres();
  glory.classList.remove("glory--due");
  const arc = cards.map((card) => getComputedStyle(card).transform);
  const shift = centres().map((centre, n) => row[n] - centre);
  const { borderRadius } = getComputedStyle(cloth);
  const [own, whole] = [glory, cloth].map((element) => element.getBoundingClientRect());
  glory.classList.add("glory--now");
  ends.push(() => glory.classList.remove("glory--now"));
  const dark = document.createElement("span");
  dark.className = "glory__dark";
  Object.assign(dark.style, {
    left: `${whole.left - own.left}px`, top: `${whole.top - own.top}px`, width: `${whole.width}px`, height: `${whole.height}px`, borderRadius,
  });
  glory.prepend(dark);
  ends.push(() => dark.remove());
  animate(dark, [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.9 }, { opacity: 0 }], { duration: 1800, fill: "both", easing: "linear" });
  const middle = (cards.length - 1) / 2;
  cards.forEach((card, n) => animate(card, [
    { transform: `translateX(${shift[n]}px)` },
    { transform: `translateX(${(middle - n) * 34}%) translateY(-4%) rotate(0deg)`, offset: 0.35, easing: "cubic-bezier(.2, .8, .25, 1)" },
    { transform: arc[n] },
  ], { duration: 820, delay: 120, easing: "ease-in-out" }));
  const draw = (side, frames, delay, duration) => animate(one(`.crest__line--${side}`, glory), frames.map((transform) => ({ transform })), { duration, delay, easing: "ease-in-out" });
  draw("top", ["scaleX(0)", "none"], 760, 300);
  for (const side of ["left", "right"]) draw(side, ["scaleY(0)", "none"], 1020, 220);
  for (const side of ["foot-l", "foot-r"]) draw(side, ["scaleX(0)", "none"], 1220, 180);
  animate(one(".crest__seal", glory), [
    { opacity: 0, transform: "rotate(-16deg) scale(2.6)" }, { opacity: 1, transform: "rotate(-6deg) scale(.92)", offset: 0.7 }, { opacity: 1, transform: "rotate(-6deg)" },
  ], { duration: 380, delay: 1400, easing: "cubic-bezier(.5, 0, .8, .4)" });
  all(".ladder__rung", glory).forEach((rung, n) => animate(rung, [
    { transform: "none" }, { transform: "scaleY(3)", offset: 0.4 }, { transform: "none" },
  ], { duration: 300, delay: 200 + n * 60 }));
  animate(one(".verdict__name", felt), [{ opacity: 0, transform: "scale(.9)" }, { opacity: 1, transform: "scale(1.2)", offset: 0.5 }, { opacity: 1, transform: "none" }], { duration: 1100, delay: 100 });
}
