/* Animates one card: transforms of a copy in a layer over the felt, which is removed when the card itself is shown. */
import { one } from "./common.js";
import { AWAY, FLIGHT, MOVE, TURN } from "./pace.js";

const OUT = "cubic-bezier(.2, .8, .25, 1)";
const IN = "cubic-bezier(.45, 0, .85, .6)";
const EVEN = "ease-in-out";

const between = (there, here) =>
  `translate(${there.left - here.left}px, ${there.top - here.top}px) scale(${there.width / here.width}, ${there.height / here.height})`;

/* One side of a card. Painting it takes longer than all other work here. */
function sideOf(art, name) {
  const side = art.cloneNode(true);
  side.setAttribute("class", "flyer__side card__face");
  const picture = one("use", side);
  if (name) picture.setAttribute("href", picture.getAttribute("href").replace(/#.*/, `#c-${name}`));
  picture.remove();
  return { side, paint: () => side.append(picture) };
}

/* A copy of a card with both sides, at its position in the layer, whose rectangle is `frame`. Nothing is measured here: that
   would cost a layout for each card. */
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

/* Deal a card from the deck to its position. Returns its copy and a function that draws it. */
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

/* Turn over a card that lay face down. Returns its copy and a function that draws it. */
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

/* Move an element from its old position to its new one, `place`. */
export function slide(element, from, place) {
  if (!["left", "top", "width"].some((side) => Math.abs(from[side] - place[side]) > 0.7)) return;
  element.classList.add("card--sliding");
  element.animate([{ transform: between(from, place) }, { transform: "none" }], { duration: MOVE, easing: OUT });
}

/* Move a card to several positions one after another, each from a given time on; in the page it is at the last one. Positions
   that it would leave before it has reached them are skipped. */
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
