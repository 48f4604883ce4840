/* The effect of the greatest wins, such as a royal flush, with transform and opacity only. The parameters `animate` and
   `ends` are wins.js's, which also ends what is started here. */
import { all, one } from "./common.js";

/* The felt darkens around the cards; they open into an arc, a frame is drawn around them, and the seal appears. */
export function glorify(glory, felt, cloth, animate, ends) {
  // measure everything before changing anything, to avoid a layout for each measurement
  const cards = all(".hand > .card", glory);
  const arc = cards.map((card) => getComputedStyle(card).transform);
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
    { transform: "none" },
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
  animate(one(".verdict__name", felt), [{ opacity: 0, transform: "scale(.9)" }, { opacity: 1, transform: "scale(1.2)", offset: 0.5 }, { opacity: 1, transform: "none" }], { duration: 1100, delay: 100 });
}
