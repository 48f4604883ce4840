/* A fresh state of a table that people share, with its cards first (motion.js). Moves that have no alternative come from
   the server all at once: a page that has not seen them shows them one after the other, each with its card and then its
   sentence. A tap or a key shows the end at once, and so do speed and less motion. */
import { all, room } from "./common.js?v=10cbdc9a16";
import { finish as land, isHasty, play, remember } from "./motion.js?v=b22fcba0f6";

const REST = 440; // milliseconds for which a step is looked at

/* The steps in a fresh room that the page has not come to yet. */
function unseen(fresh) {
  const { round, moves, phase } = room().dataset;
  if (fresh.dataset.round !== round || !["betting", "playing"].includes(phase)) return [];
  return all("template[data-step]", fresh).filter((step) => Number(step.dataset.step) > Number(moves));
}

const isLive = (root) => Boolean(root.dataset.live);

let pressed = null; // the button of the last command
document.addEventListener("submit", (event) => { pressed = event.submitter; }, true);

/* While steps are shown nothing can be pressed; the button that led to them is dimmed. */
function lock(isLocked) {
  for (const dock of all(".company__dock", room())) {
    dock.inert = isLocked;
    dock.toggleAttribute("data-held", isLocked);
    if (dock.contains(pressed)) pressed.classList.toggle("btn--pressed", isLocked);
  }
}

/* `show` puts one part into the page, `settle` all of a fresh room; `wake` is called when its last card lies there. */
export function createPacer(show, settle, wake) {
  let fresh = null; // the room that is come to
  let later = null; // one that came meanwhile
  let steps = [];
  let isLast = false; // the steps have been shown
  let timer = 0;

  function end() {
    const next = later;
    fresh = null;
    later = null;
    delete room().dataset.stepping;
    lock(false);
    wake();
    if (next) take(next);
  }

  function next() {
    const step = steps.shift();
    remember(room());
    if (step) {
      all("[data-part]", step.content).forEach((part) => show(part.cloneNode(true)));
      room().dataset.hand = fresh.dataset.hand;
      play(room(), () => {
        room().dataset.stepping = "";
        timer = setTimeout(next, REST);
      });
      return;
    }
    isLast = true;
    const wasStepping = "stepping" in room().dataset;
    settle(fresh);
    if (wasStepping) room().dataset.stepping = "";
    play(room(), end);
  }

  /* Show the end at once. */
  function finish() {
    if (!fresh) return;
    const wasLast = isLast;
    steps = [];
    land();
    clearTimeout(timer);
    if (!wasLast && fresh) { next(); land(); }
  }

  function take(root) {
    if (fresh) {
      if (Number(root.dataset.version) >= Number((later ?? fresh).dataset.version) || !isLive(root)) later = root;
      if (root.dataset.round !== fresh.dataset.round || !isLive(root)) finish();
      return;
    }
    const isNews = isLive(root) && isLive(room()) && root.dataset.moment !== room().dataset.moment;
    fresh = root;
    if (!isNews || Number(root.dataset.version) < Number(room().dataset.version)) {
      settle(root);
      end();
      return;
    }
    if (isHasty()) {
      remember(room());
      settle(root);
      play(room(), end);
      return;
    }
    steps = unseen(root);
    isLast = !steps.length;
    lock(!isLast);
    next();
  }

  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, finish);
  document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

  return { finish, take };
}
