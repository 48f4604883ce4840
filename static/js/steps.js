/* Shows a new state of a shared table, with its cards first (motion.js). Moves without an alternative arrive from the
   server all at once; a page that has not seen them shows them one by one, each with its card and then its sentence. A
   tap, a key, high speed or reduced motion shows the end at once. */
import { all, room } from "./common.js";
import { finish as land, isHasty, play, remember } from "./motion.js";

const REST = 440; // milliseconds for which a step is shown

/* The steps in a new room that the page has not shown yet. */
function unseen(fresh) {
  const { round, moves, phase } = room().dataset;
  if (fresh.dataset.round !== round || !["betting", "playing"].includes(phase)) return [];
  return all("template[data-step]", fresh).filter((step) => Number(step.dataset.step) > Number(moves));
}

const isLive = (root) => Boolean(root.dataset.live);

let pressed = null; // the button of the last command
document.addEventListener("submit", (event) => { pressed = event.submitter; }, true);

/* While steps are shown, buttons are disabled; the one that led to them is dimmed. */
function lock(isLocked) {
  for (const dock of all(".company__dock", room())) {
    dock.inert = isLocked;
    dock.toggleAttribute("data-held", isLocked);
    if (dock.contains(pressed)) pressed.classList.toggle("btn--pressed", isLocked);
  }
}

/* `show` replaces one part, `settle` all parts of a new room; `wake` is called when its last card has landed. */
export function createPacer(show, settle, wake) {
  let fresh = null; // the room that is being shown
  let later = null; // one that arrived meanwhile
  let steps = [];
  let isLast = false; // all steps have been shown
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

  /* End the animation at once. */
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
