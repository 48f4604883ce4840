/* Compares the cards of two states of the felt: which ones stay, move, leave, arrive or are turned over. A group of cards
   has a name in `data-cards`; a card is identified by its group and its position in it. */
import { all, one } from "./common.js";

const nameOf = (card) => one("use", card)?.getAttribute("href").split("#c-").pop();

/* Dealt face down, and not looked at yet. */
const isDown = (card) => card.matches(".card--down") && one(".pitch__box:not(:checked)", card.closest(".pile")) !== null;

/* Neighbouring groups, whose names differ in the last part: `box-1-1` and `box-1-2`. */
const near = (key) => key.replace(/-[^-]*$/, "");

/* The rectangle of a card, without labels that hang below it. */
export const placeOf = (card) => one(".card__face", card).getBoundingClientRect();

/* All cards within `root`: the identity of each, and what it shows. */
export const cardsOf = (root) =>
  all("[data-cards]", root).flatMap((group) =>
    Array.from(group.children, (element, index) => ({ element, key: `${group.dataset.cards}/${index}` }))
      .filter(({ element }) => element.matches(".card"))
      .map((card) => ({ ...card, shown: isDown(card.element) ? "back" : nameOf(card.element) })));

/* The same, with the position of each card; this costs a layout. */
export const lying = (root) => cardsOf(root).map((card) => ({ ...card, place: placeOf(card.element) }));

const described = (card) => ({
  ...card,
  turn: Number(card.element.dataset.turn ?? 0),
  isSlow: "slow" in card.element.dataset,
  isRisky: card.element.dataset.slow === "risky",
  isAside: "aside" in card.element.dataset,
  group: card.element.closest("[data-together]"),
  isHole: card.shown !== "back" && "hole" in card.element.dataset,
  decides: "decides" in card.element.dataset,
});

/* Compare two states: returns the cards that stay and perhaps move (`from`: old position), those that leave, and those that
   come, in their order: new ones (`isNew`) and those that are turned over. `isSame`: both states are of the same hand. */
export function compare(old, fresh, isSame) {
  const left = new Map(isSame ? old.map((card) => [card.key, card]) : []);
  const staying = [];
  const turned = [];
  const unknown = [];
  for (const card of fresh) {
    const was = left.get(card.key);
    if (was && was.shown === card.shown) staying.push({ ...card, from: was.place });
    else if (was && was.shown === "back") turned.push({ ...card, from: was.place });
    else { unknown.push(card); continue; }
    left.delete(card.key);
  }
  // moved to a neighbouring group: a card of a pair that was split
  const dealt = unknown.filter((card) => {
    const was = card.shown !== "back" && Array.from(left.values()).find((each) => each.shown === card.shown && near(each.key) === near(card.key));
    if (was) { left.delete(was.key); staying.push({ ...card, from: was.place }); }
    return !was;
  });
  const gone = isSame ? Array.from(left.values()) : old;
  const coming = [...dealt.map((card) => ({ ...described(card), isNew: true })), ...turned.map(described)];
  coming.sort((one_, other) => one_.turn - other.turn);
  return { staying, gone, coming };
}
