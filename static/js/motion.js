/* The order of events: cards first, words after. docs/motion.md says how a page is written for it.

   clearAway(root)     another hand is asked for: the cards of this one leave
   layBack()           there was no answer: they lie there as before
   remember(root)      before a swap: look at the state that is left
   play(root, landed)  after it: show the way to the fresh one, and call `landed` when the last card lies there
   finish()            show the end at once; true if the last card did not lie there yet
   isHasty()           motion is not wanted: the end is there from the beginning
   On the document "card" is sent when a card sets out (detail.kind: deal, turn, shuffle), "landed" at the end. */
import { all, one } from "./common.js?v=10cbdc9a16";
import { cardsOf, compare, lying, placeOf } from "./cards.js?v=039de2a8e9";
import { fansOf, spread } from "./fans.js?v=97f03ec7ee";
import { deal, leave, slide, turnOver } from "./flight.js?v=4d631bd8da";
import { hold, partsOf } from "./hold.js?v=576ac8121e";
import { RIFFLE, SHUFFLE, timetable } from "./pace.js?v=7e0a3ee078";

const DECK = { width: 30, height: 42 };

export const isHasty = () =>
  document.hidden || document.documentElement.dataset.speed === "fast" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const send = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

let before = null; // the state that was left
let running = null; // timers, and how to come to the end
let pressed = null; // the button of the last request
let dealt = 0; // cards of the shoe, when they were last seen
let shuffling = null; // the module of the shuffle: fetched when the first cards of a shoe are dealt
let sweep = null; // the layer of cards that leave: they go on when the next room comes

document.addEventListener("submit", (event) => { pressed = event.submitter; }, true);
document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

const dealtOf = (root) => Number(one("[data-dealt]", root)?.dataset.dealt ?? 0);

const stateOf = (root) => ({
  hand: root.dataset.hand, step: Number(root.dataset.step ?? 0), isCleared: "cleared" in root.dataset, ...partsOf(root),
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
  cards.forEach((card, index) => leave(over, to, card, index * 20));
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
  before = root && stateOf(root);
  dealt = (root && dealtOf(root)) || dealt;
}

export function play(root, landed = () => {}) {
  if (running) return; // something else was swapped
  const old = before;
  before = null;
  const felt = root && one("[data-felt]", root);
  // a replay moves one step forward; any other step is there at once
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

/* Where cards come from, and where they go: a deck in the upper corner, or the corner itself. */
function corners(felt) {
  const { left, right, top } = felt.getBoundingClientRect();
  const deck = one("[data-deck] > :last-child", felt)?.getBoundingClientRect();
  const from = deck?.width ? deck : { ...DECK, left: right - 44, top: top - DECK.height };
  return { from, to: { ...DECK, left: left + 14, top: top - 1.5 * DECK.height } };
}

function run(root, felt, old, landed) {
  const scenes = all("template[data-scene]", root);
  const alike = (element) => Array.from(felt.children).find((child) => child.classList[0] === element.classList[0]);
  const views = scenes.map((scene) => Array.from(scene.content.cloneNode(true).children));
  views.push(views.length ? views[0].map(alike) : []);
  const rests = [...scenes.map((scene) => Number(scene.dataset.scene)), 0];
  const timers = [];
  const at = (time, act) => timers.push(setTimeout(act, time));
  let release = () => {}; // within the felt
  let releaseAll = () => {}; // around it
  let flying = []; // cards, and their copies
  let spreading = []; // cards of fans that make room for them
  let resting = []; // cards: where they lie while the words are held back (`place`), and with them (`last`)
  let isAtEnd = false;

  /* The words come, and cards make room for what they say. Nothing is looked at: the page has just been changed. */
  function land() {
    if (isAtEnd) return;
    isAtEnd = true;
    release();
    releaseAll();
    delete root.dataset.moving;
    pressed?.classList.remove("btn--pressed");
    landed();
    const onTheirWay = new Set(spreading.filter(({ playState }) => playState === "running").map(({ effect }) => effect.target));
    for (const { element, place, last } of resting) {
      if (element.isConnected && !onTheirWay.has(element)) slide(element, place, last);
    }
    send("landed");
  }

  function lie({ element, copy }) {
    element.classList.remove("card--coming");
    copy.remove();
  }

  /* Where the felt and these cards lie now. */
  function layout(cards) {
    const { left, top } = felt.getBoundingClientRect();
    return { left, top, places: new Map(cards.map(({ element }) => [element, placeOf(element)])) };
  }

  /* A scene takes the place of the children of the felt whose first classes it has. */
  function put(view) {
    for (const element of view) if (!element.isConnected) alike(element).replaceWith(element);
  }

  /* One state after another: mostly there is only the fresh one. */
  function show(index, from) {
    put(views[index]);
    const isLast = index === views.length - 1;
    const isSame = from.hand === root.dataset.hand;
    const { staying, gone, coming } = compare(from.cards, cardsOf(felt), isSame);
    const shuffles = coming.length > 0 && dealt > dealtOf(root);
    if (coming.length) dealt = dealtOf(root);
    const landing = timetable(coming, shuffles ? SHUFFLE : 0);
    const isStill = !landing && isLast && !index;
    let ends = null; // where all lies with the words
    if (!isStill) {
      root.dataset.moving = "";
      if (isLast) ends = layout([...staying, ...coming]);
      release = hold(Array.from(felt.children), from, isSame, pressed);
      if (!index) releaseAll = hold(all("[data-after], [data-later]", root).filter((part) => !felt.contains(part)), from, isSame, pressed);
    }
    move(staying, gone, coming, shuffles, ends);
    if (isStill) { clear(); land(); return; }
    if (isLast) at(landing, land);
    else {
      at(landing, () => { release(); release = () => {}; });
      at(landing + rests[index], () => { clear(); show(index + 1, stateOf(root)); });
    }
    if (isLast) at(Math.max(landing, ...coming.map((card) => card.lies)), () => { clear(); running = null; });
  }

  /* All is measured first, and then all moves: each look at a page that was changed lays it out anew. */
  function move(staying, gone, coming, shuffles, ends) {
    const layer = createLayer();
    if (!sweep?.childElementCount) sweep = createLayer();
    felt.append(sweep, layer);
    const frame = layer.getBoundingClientRect();
    const { from, to } = corners(felt);
    // what is held back has its old size: cards lie where they lie now
    for (const card of [...staying, ...coming]) card.place = placeOf(card.element);
    const fans = fansOf(coming);
    const now = layout([]);
    const isMoved = !ends || Math.abs(now.left - ends.left) + Math.abs(now.top - ends.top) > 1;
    resting = isMoved ? [] : [...staying, ...coming].map(({ element, place }) => ({ element, place, last: ends.places.get(element) }));
    spreading = spread(fans, staying, coming);
    const alone = staying.filter((card) => !fans.some(({ places }) => places[0].has(card.element)));
    if (!old.isCleared) gone.forEach((card, index) => leave({ layer: sweep, frame }, to, card, index * 20));
    for (const card of alone) slide(card.element, card.from, card.place);
    const over = { layer, frame };
    const back = one("[data-deck] > *", felt);
    if (back) shuffling ??= import("./shuffle.js?v=5fb362fcd3").catch(() => { shuffling = null; });
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
      release();
      put(views.at(-1));
      land();
      return wasMoving;
    },
  };
  show(0, old);
  if (isAtEnd) running = null;
}
