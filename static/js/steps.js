/* Cards first, words after: places that get new cards show these alone, and all that tells what came of them follows when
   the last one lies there. Moves that have no alternative come from the server all at once: a page that has not seen them
   shows them one after the other, each with its sentence. A tap or a key shows the end at once, and so do speed and less
   motion. */
import { all, one, room } from "./common.js?v=da0ae4eea1";

const PACE = 700; // milliseconds from one to the next
const STAGGER = 90; // from one new card to the next
const FLIGHT = 360; // until a card lies there, or is turned

const isHasty = () =>
  document.hidden || document.documentElement.dataset.speed === "fast" || matchMedia("(prefers-reduced-motion: reduce)").matches;

const placeNow = (part) => one(`[data-part="${part.dataset.part}"]`, room());
const seatsOf = (root) => all('[data-part^="seat-"]', root);
const cardsOf = (fan) => (fan ? all(".card", fan) : []);

/* The steps in a fresh room that the page has not come to yet. */
function unseen(fresh) {
  const { round, moves, phase } = room().dataset;
  if (fresh.dataset.round !== round || !["betting", "playing"].includes(phase)) return [];
  return all("template[data-step]", fresh).filter((step) => Number(step.dataset.step) > Number(moves));
}

/* The cards of a fresh place that are not to be seen at the old one, or only their backs; each with its place in its fan. */
export function newCards(before, after) {
  const fansBefore = all(".fan", before);
  return all(".fan", after).flatMap((fan, index) => {
    const had = cardsOf(fansBefore[index]);
    return cardsOf(fan).map((card, number) => ({ card, number, isTurned: had[number]?.matches(".card--back") ?? false }))
      .filter(({ card, number, isTurned }) => number >= had.length || (isTurned && !card.matches(".card--back")));
  });
}

/* A fresh place with the words of the old one. */
function landing(fresh, old) {
  const copy = fresh.cloneNode(true);
  copy.className = fresh.className.replace(" place--turn", old.matches(".place--turn") ? " place--turn" : "");
  copy.classList.add("place--landing");
  const lies = all(".lie", old);
  all(".lie", copy).forEach((lie, index) => {
    const was = lies[index];
    if (!was) { lie.classList.add("lie--coming"); return; }
    lie.className = was.className;
    for (const words of [".lie__line", ".lie__word"]) one(words, lie).replaceWith(one(words, was).cloneNode(true));
  });
  return copy;
}

/* `show` puts one part into the page, `settle` all of a fresh room. */
export function createPacer(show, settle) {
  let fresh = null; // the room that comes after the steps
  let steps = [];
  let timer = 0;

  function finish() {
    clearTimeout(timer);
    const end = fresh;
    fresh = null;
    all(".company__dock", room()).forEach((dock) => { dock.inert = false; });
    if (end) settle(end);
  }

  /* Show the new cards of these places in the order in which they are dealt; the time until the last one lies there. */
  function bring(seats) {
    const coming = seats.flatMap((seat) => {
      const old = placeNow(seat);
      if (!newCards(old, seat).length) return [];
      const copy = landing(seat, old);
      const cards = newCards(old, copy);
      show(copy);
      return cards;
    });
    coming.sort((first, second) => first.isTurned - second.isTurned || first.number - second.number);
    const deck = one(".shoe-21", room())?.getBoundingClientRect();
    coming.forEach(({ card }, index) => {
      const { left, top } = card.getBoundingClientRect();
      card.style.setProperty("--wait", `${index * STAGGER}ms`);
      if (!deck?.width) return;
      card.style.setProperty("--from-x", `${deck.left - left}px`);
      card.style.setProperty("--from-y", `${deck.top - top}px`);
    });
    return coming.length ? (coming.length - 1) * STAGGER + FLIGHT : 0;
  }

  function next() {
    const step = steps.shift();
    if (step) {
      all("[data-part]", step.content).forEach((part) => show(part.cloneNode(true)));
      timer = setTimeout(next, PACE);
      return;
    }
    const wait = bring(seatsOf(fresh));
    if (wait) timer = setTimeout(finish, wait);
    else finish();
  }

  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { if (fresh) finish(); });
  document.addEventListener("visibilitychange", () => { if (fresh && document.hidden) finish(); });

  return {
    get isBusy() { return fresh !== null; },
    finish,
    /* Take a fresh room that shows steps or cards first, or comes while they are shown. False: it can be shown at once. */
    take(later) {
      if (fresh) {
        const goesOn = later.dataset.round === fresh.dataset.round && later.dataset.live;
        if (Number(later.dataset.version) > Number(fresh.dataset.version) || !goesOn) fresh = later;
        if (!goesOn) finish();
        return true;
      }
      if (isHasty() || !later.dataset.live || !room().dataset.live) return false;
      if (Number(later.dataset.version) < Number(room().dataset.version)) return false;
      steps = unseen(later);
      const brings = seatsOf(later).some((seat) => newCards(placeNow(seat), seat).length);
      if (!steps.length && !brings) return false;
      fresh = later;
      if (steps.length) all(".company__dock", room()).forEach((dock) => { dock.inert = true; });
      next();
      return true;
    },
  };
}
