/* How a card moves: by transforms of a copy in a layer over the felt, which the card itself is under when it lies there. */
import { one } from "./common.js?v=10cbdc9a16";
import { AWAY, FLIGHT, MOVE, TURN } from "./pace.js?v=7e0a3ee078";

const OUT = "cubic-bezier(.2, .8, .25, 1)";
const IN = "cubic-bezier(.45, 0, .85, .6)";
const EVEN = "ease-in-out";

const between = (there, here) =>
  `translate(${there.left - here.left}px, ${there.top - here.top}px) scale(${there.width / here.width}, ${there.height / here.height})`;

/* A side of a card, which is drawn when it is painted: that takes longer than all else here. */
function sideOf(art, name) {
  const side = art.cloneNode(true);
  side.setAttribute("class", "flyer__side card__face");
  const picture = one("use", side);
  if (name) picture.setAttribute("href", picture.getAttribute("href").replace(/#.*/, `#c-${name}`));
  picture.remove();
  return { side, paint: () => side.append(picture) };
}

/* A copy of a card, of both its sides, at its place in the layer, which lies at `frame`. Nothing is measured here: the page
   would be laid out once for each card. */
function copy({ layer, frame }, { element: card, place, shown }) {
  const element = document.createElement("div");
  element.className = `flyer ${card.className.match(/card--([shdck]|faded)\b/g)?.join(" ") ?? ""}`;
  Object.assign(element.style, {
    left: `${place.left - frame.left}px`, top: `${place.top - frame.top}px`, width: `${place.width}px`, height: `${place.height}px`,
  });
  const art = one(".card__face", card);
  const [face, back] = [sideOf(art, shown === "back" && shown), sideOf(art, "back")];
  element.append(back.side, face.side);
  layer.append(element);
  const paint = () => [face, back].forEach(({ side, paint }) => { if (side.isConnected) paint(); });
  return { element, face: face.side, back: back.side, paint };
}

/* Turn a copy over, to its face (`up`) or to its back. */
function turn({ face, back }, up, options) {
  const timing = { fill: "both", easing: EVEN, ...options };
  const [comes, goes] = up ? [face, back] : [back, face];
  comes.animate([{ transform: "rotateY(-180deg)" }, { transform: "rotateY(0deg)" }], timing);
  goes.animate([{ transform: "rotateY(0deg)" }, { transform: "rotateY(180deg)" }], timing);
}

/* A new card, from the deck to its place, by its timetable. Returns its copy, and what draws it. */
export function deal(layer, deck, card) {
  const copied = copy(layer, card);
  copied.element.animate(
    [{ transform: `${between(deck, card.place)} rotate(-8deg)` }, { transform: "none" }],
    { delay: card.at, duration: FLIGHT, easing: OUT, fill: "both" });
  if (card.shown === "back") copied.back.remove();
  else if (card.turnAt > card.at) turn(copied, true, { delay: card.turnAt, duration: TURN });
  else turn(copied, true, { delay: card.at + FLIGHT * 0.1, duration: FLIGHT * 0.55 });
  return { copy: copied.element, paint: copied.paint };
}

/* A card that lay face down is turned over. Returns its copy, and what draws it. */
export function turnOver(layer, card) {
  const copied = copy(layer, card);
  turn(copied, true, { delay: card.turnAt, duration: TURN });
  slide(copied.element, card.from, card.place);
  return { copy: copied.element, paint: copied.paint };
}

/* A card leaves for this place, face down. */
export function leave(layer, exit, card, delay) {
  const copied = copy(layer, card);
  if (card.shown === "back") copied.back.remove();
  else turn(copied, false, { delay, duration: AWAY * 0.5 });
  copied.paint();
  copied.element.animate(
    [{ transform: "none" }, { transform: `${between(exit, card.place)} rotate(8deg)` }],
    { delay, duration: AWAY, easing: IN, fill: "both" });
  setTimeout(() => copied.element.remove(), delay + AWAY);
}

/* What lies elsewhere than before moves there from where it was: `place` is where it lies now. */
export function slide(element, from, place) {
  if (!["left", "top", "width"].some((side) => Math.abs(from[side] - place[side]) > 0.7)) return;
  element.classList.add("card--sliding");
  element.animate([{ transform: between(from, place) }, { transform: "none" }], { duration: MOVE, easing: OUT });
}

/* A card lies at one place after another: from each time on it moves to that place; in the page it lies at the last one.
   A place that it would leave before it has come there is left out. */
export function follow(element, way, last) {
  const duration = way.at(-1).at + MOVE;
  const stops = way.filter(({ at }, nth) => nth === 0 || !way[nth + 1] || way[nth + 1].at >= at + MOVE);
  const frames = stops.flatMap(({ place, at }, nth) => (nth === 0
    ? [{ transform: between(place, last), offset: 0 }]
    : [{ transform: between(stops[nth - 1].place, last), offset: at / duration, easing: OUT },
      { transform: between(place, last), offset: (at + MOVE) / duration }]));
  element.classList.add("card--sliding");
  return element.animate(frames, { duration });
}
