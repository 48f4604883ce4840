/* Animates a shuffle: a packet of cards comes from the shoe to the middle of the felt, is split, riffled together, and
   goes back. A few card backs are transformed in a layer over the felt; the cards of the round are dealt after it. */
import { SHUFFLE } from "./pace.js";

const CARDS = 8;
const THICK = 1.6; // pixels from one card of the packet to the next
const WIDTH = { least: 48, most: 92, share: 0.14 }; // of a card, and that of the felt's width

/* Shares of the whole time: in the middle, split, riffled (start, and interval between cards), squared up. */
const [MIDDLE, PARTED, RUNS, NEXT, FALL, SQUARE] = [0.2, 0.36, 0.4, 0.035, 0.1, 0.8];

const stop = (offset, x, y, rest = "") => ({ offset, transform: `translate(${x}px, ${y}px) ${rest}`, easing: "ease-in-out" });

/* The keyframes of one card of the packet: from the shoe, to its half, into the packet, and back. */
function way(nth, shoe, width) {
  const side = nth % 2 ? 1 : -1;
  const [high, low] = [-nth * THICK, -Math.floor(nth / 2) * THICK];
  const [x, turned] = [side * width * 0.62, `rotate(${side * 7}deg)`];
  const from = RUNS + nth * NEXT;
  const away = `scale(${shoe.scale})`;
  return [
    stop(0, shoe.x, shoe.y, away), stop(MIDDLE, 0, high, "scale(1)"), stop(PARTED, x, low, turned), stop(from, x, low, turned),
    stop(from + FALL, 0, high), stop(SQUARE, 0, high, "scale(1)"), stop(1, shoe.x, shoe.y, away),
  ];
}

/* `layer`: over the felt, with the rectangle `frame`. `deck`: position of the shoe. `art`: picture of a card back. */
export function shuffle({ layer, frame }, deck, art) {
  const width = Math.min(WIDTH.most, Math.max(WIDTH.least, frame.width * WIDTH.share));
  const [left, top] = [(frame.width - width) / 2, frame.height * 0.45 - width * 0.7];
  const shoe = {
    x: deck.left + deck.width / 2 - frame.left - left - width / 2,
    y: deck.top + deck.height / 2 - frame.top - top - width * 0.7,
    scale: deck.width / width,
  };
  const packet = document.createElement("div");
  for (let nth = 0; nth < CARDS; nth += 1) {
    const card = art.cloneNode(true);
    card.setAttribute("class", "flyer flyer--packet");
    Object.assign(card.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${width * 1.4}px` });
    packet.append(card);
    card.animate(way(nth, shoe, width), { duration: SHUFFLE, fill: "both" });
  }
  layer.append(packet);
  setTimeout(() => packet.remove(), SHUFFLE);
}
