/* Animates the change from one state of a table to the next: cards first, words after (docs/motion.md).

   clearAway(root)     removes the cards of a hand when another one is requested
   layBack()           puts them back if there was no answer
   remember(root)      records the old state; to be called before a swap
   play(root, landed)  animates the new state after a swap, and calls `landed` when the last card has landed
   finish()            ends the animation at once; returns true if the last card had not landed
   plugStakes(parts)   shows what is staked (stakes.js), where a game has stakes that grow
   isHasty()           true if there are no animations: they are switched off, or the page is hidden
   Events on the document: "card" when a card sets out (detail.kind: deal, turn, shuffle), "landed" at the end. */
import { all, one, stateOf } from "./common.js";
import { cardsOf, compare, lying, placeOf } from "./cards.js";
import { fansOf, spread } from "./fans.js";
import { deal, leave, slide, turnOver } from "./flight.js";
import { holdBack, partsOf } from "./reveal.js";
import { RIFFLE, SHUFFLE, timetable } from "./pace.js";

const DECK = { width: 30, height: 42 };
const LAST = 12; // of the cards that leave one after another; all others leave with it

export const isHasty = () =>
  document.hidden || document.documentElement.dataset.speed === "fast" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const send = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

let before = null; // the old state
let running = null; // the animation in progress: its timers, and how to end it
let pressed = null; // the button of the last request
let dealt = 0; // number of cards dealt from the shoe in the old state
let shuffling = null; // the module shuffle.js, loaded while the first cards of a shoe are requested
let stakes = null; // the functions of stakes.js
let sweep = null; // the layer of cards that leave; the animation continues when the room is replaced

export const plugStakes = (parts) => { stakes = parts; };

document.addEventListener("submit", (event) => { pressed = event.submitter; loadShuffle(); }, true);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

function loadShuffle() {
  if (one("[data-deck] > *")) shuffling ??= import("./shuffle.js").catch(() => { shuffling = null; });
}

const dealtOf = (root) => Number(one("[data-dealt]", root)?.dataset.dealt ?? 0);

const seen = (root) => ({
  hand: stateOf(root).dataset.hand, step: Number(root.dataset.step ?? 0), isCleared: "cleared" in root.dataset, ...partsOf(root), laid: stakes?.laidIn(root),
  cards: "cleared" in root.dataset ? [] : lying(root),
});

export function clearAway(root) {
  const felt = one("[data-felt]", root);
  const cards = felt && !isHasty() ? lying(felt) : [];
  if (!cards.length) return;
  finish();
  root.dataset.cleared = "";
  sweep = createLayer();
  felt.append(sweep);
  const over = { layer: sweep, frame: sweep.getBoundingClientRect() };
  const { to } = corners(felt);
  cards.forEach((card, index) => leave(over, to, card, Math.min(index, LAST) * 20));
  for (const { element } of cards) element.classList.add("card--coming");
}

export function layBack() {
  for (const root of all("[data-cleared]")) {
    delete root.dataset.cleared;
    all(".card--coming", root).forEach((card) => card.classList.remove("card--coming"));
  }
}

export function remember(root) {
  finish();
  before = root && seen(root);
  dealt = (root && dealtOf(root)) || dealt;
}

export function play(root, landed = () => {}) {
  if (running) return; // something other than the table was swapped
  const old = before;
  before = null;
  const felt = root && one("[data-felt]", root);
  // in a replay only single steps forward are animated
  const goesOn = !root?.dataset.step || Number(root.dataset.step) === old?.step + 1;
  const isNews = old && felt && goesOn;
  if (isNews && !isHasty()) { run(root, felt, old, landed); return; }
  landed();
  if (isNews) send("landed");
}

export function finish() {
  if (!running) return false;
  const { timers, end } = running;
  running = null;
  timers.forEach(clearTimeout);
  sweep?.replaceChildren();
  return end();
}

function createLayer() {
  const layer = document.createElement("div");
  layer.className = "flyers";
  layer.setAttribute("aria-hidden", "true");
  return layer;
}

/* What is said with each card of the last action: templates by the card's turn, and one for the start. */
const wordsIn = (felt) => new Map(all("template[data-with]", felt).map((said) => [said.dataset.with, said]));

/* Where cards come from and go to: a deck in the upper corner, or under the edge of the felt there; and under its other corner
   or its middle. */
function corners(felt) {
  const { left, right, top, width } = felt.getBoundingClientRect();
  const deck = one("[data-deck] > :last-child", felt)?.getBoundingClientRect();
  const from = deck?.width ? deck : { ...DECK, left: right - 44, top: top - DECK.height / 2 };
  return { from, to: { ...DECK, left: left + (felt.dataset.felt ? width / 2 : 14), top: top - 1.5 * DECK.height } };
}

function run(root, felt, old, landed) {
  const scenes = all("template[data-scene]", root);
  const alike = (element) => Array.from(felt.children).find((child) => child.classList[0] === element.classList[0]);
  const views = scenes.map((scene) => Array.from(scene.content.cloneNode(true).children));
  views.push(views.length ? views[0].map(alike) : []);
  const rests = [...scenes.map((scene) => Number(scene.dataset.scene)), 0];
  const timers = [];
  const at = (time, act) => timers.push(setTimeout(act, time));
  let held = null; // results within the felt that are hidden
  let heldAround = null; // those around it
  let flying = []; // cards with their copies
  let spreading = []; // cards of fans that move aside for them
  let resting = []; // other cards: position while results are hidden (`place`), and afterwards (`last`)
  let endStakes = () => {};
  let isAtEnd = false;

  /* Show the results, and move cards that have to make room for them. Nothing is measured, because the page was just changed. */
  function land() {
    if (isAtEnd) return;
    isAtEnd = true;
    held?.release();
    heldAround?.release();
    delete root.dataset.moving;
    pressed?.classList.remove("btn--pressed");
    landed();
    const onTheirWay = new Set(spreading.filter(({ playState }) => playState === "running").map(({ effect }) => effect.target));
    for (const { element, place, last } of resting) {
      if (element.isConnected && !onTheirWay.has(element)) slide(element, place, last);
    }
    send("landed");
  }

  /* Show what is said with a card, before the result. */
  function tell(said) {
    if (said && !isAtEnd) held.tell(Array.from(said.content.cloneNode(true).children));
  }

  function lie({ element, copy }) {
    element.classList.remove("card--coming");
    copy.remove();
  }

  /* The rectangles of the felt and of these cards. */
  function layout(cards) {
    const { left, top } = felt.getBoundingClientRect();
    return { left, top, places: new Map(cards.map(({ element }) => [element, placeOf(element)])) };
  }

  /* Show a scene: its elements replace the children of the felt that have the same first class. */
  function put(view) {
    for (const element of view) if (!element.isConnected) alike(element).replaceWith(element);
  }

  /* Show one state after another; usually there is only the new one. */
  function show(index, from) {
    put(views[index]);
    const isLast = index === views.length - 1;
    const isSame = from.hand === stateOf(root).dataset.hand;
    const { staying, gone, coming } = compare(from.cards, cardsOf(felt), isSame);
    const shuffles = coming.length > 0 && dealt > dealtOf(root);
    if (coming.length) dealt = dealtOf(root);
    const words = isLast ? wordsIn(felt) : new Map();
    for (const card of coming) card.words = words.get(String(card.turn));
    const landing = timetable(coming, shuffles ? SHUFFLE : 0);
    const isStill = !landing && isLast && !index;
    const raises = index || !stakes ? [] : stakes.raised((isSame && from.laid) || new Map(), stakes.laidIn(felt));
    let ends = null; // final positions, with the results
    if (!isStill) {
      root.dataset.moving = words.size ? "told" : "";
      if (isLast) ends = layout([...staying, ...coming]);
      held = holdBack(Array.from(felt.children), from, isSame, pressed);
      if (!index) heldAround = holdBack(all("[data-after], [data-later]", root).filter((part) => !felt.contains(part)), from, isSame, pressed);
    }
    move(staying, gone, coming, shuffles, ends, isSame ? raises : []);
    if (!isStill && raises.length) stakes.countDown(raises, root);
    if (isStill) { clear(); land(); return; }
    if (!index) all("template[data-with=start]", felt).forEach(tell);
    for (const { lies, words: said } of coming) if (said) at(lies, () => tell(said));
    if (isLast) at(landing, land);
    else {
      at(landing, () => held.release());
      at(landing + rests[index], () => { clear(); show(index + 1, seen(root)); });
    }
    if (isLast) at(Math.max(landing, ...coming.map((card) => card.lies)), () => { clear(); running = null; });
  }

  /* Measure everything first, then start all animations: each measurement after a change costs a layout. */
  function move(staying, gone, coming, shuffles, ends, raises) {
    const layer = createLayer();
    if (!sweep?.childElementCount) sweep = createLayer();
    felt.append(sweep, layer);
    const frame = layer.getBoundingClientRect();
    const { from, to } = corners(felt);
    // hidden results have their old size, so these are the positions during the animation
    for (const card of [...staying, ...coming]) card.place = placeOf(card.element);
    const fans = fansOf(coming);
    const ways = raises.length ? stakes.waysOf(raises, felt, root) : [];
    const now = layout([]);
    const isMoved = !ends || Math.abs(now.left - ends.left) + Math.abs(now.top - ends.top) > 1;
    resting = isMoved ? [] : [...staying, ...coming].map(({ element, place }) => ({ element, place, last: ends.places.get(element) }));
    spreading = spread(fans, staying, coming);
    const alone = staying.filter((card) => !fans.some(({ places }) => places[0].has(card.element)));
    if (!old.isCleared) gone.forEach((card, index) => leave({ layer: sweep, frame }, to, card, Math.min(index, LAST) * 20));
    for (const card of alone) slide(card.element, card.from, card.place);
    if (ways.length) endStakes = stakes.throwDiscs(ways);
    const over = { layer, frame };
    const back = one("[data-deck] > *", felt);
    loadShuffle();
    if (shuffles && back) {
      shuffling.then((it) => { if (layer.isConnected) it?.shuffle(over, from, back); });
      at(RIFFLE, () => send("card", { kind: "shuffle" }));
    }
    flying = coming.map((card) => ({ ...card, ...(card.isNew ? deal(over, from, card) : turnOver(over, card)) }));
    for (const card of flying) {
      card.element.classList.add("card--coming");
      const setOut = () => send("card", { kind: card.isNew ? "deal" : "turn" });
      if (card.isNew && card.at) at(card.at, card.paint);
      else card.paint();
      if (card.at) at(card.at, setOut);
      else setOut();
      at(card.lies, () => lie(card));
    }
  }

  function clear() {
    spreading.splice(0).forEach((animation) => animation.cancel());
    flying.splice(0).forEach(lie);
    all(".flyers", felt).forEach((layer) => { if (layer !== sweep) layer.remove(); });
  }

  running = {
    timers,
    end() {
      const wasMoving = !isAtEnd;
      if (wasMoving) resting = [];
      clear();
      endStakes();
      held?.release();
      put(views.at(-1));
      land();
      return wasMoving;
    },
  };
  show(0, old);
  if (isAtEnd) running = null;
}
