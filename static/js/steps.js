/* Shows the states of a shared table one after another, each with its cards first (motion.js). Moves without an alternative
   arrive from the server all at once; a page that has not seen them shows them one by one, each with its card and then its
   sentence. A tap, a key, high speed or reduced motion shows the end at once. */
import { all, room, stateOf } from "./common.js";
import { finish as land, isHasty, play, remember } from "./motion.js";

const REST = 440; // milliseconds for which a step is shown
const DROPPED = 1000; // milliseconds after which a state whose turn it is, and that is not swapped, is passed over

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

/* `show` replaces one part. */
export function createPacer(show) {
  let shown = Promise.resolve(); // fulfilled when the last card of the last state lies there
  let free = () => {};
  let isHurried = false;
  let rest = () => {};
  let dropped = 0;

  /* The steps to a new state that the page has not shown yet. */
  function unseen(fresh) {
    const { round, moves, phase, version } = stateOf(room()).dataset;
    const isNext = fresh.dataset.round === round && ["betting", "playing"].includes(phase);
    if (!isNext || Number(fresh.dataset.version) < Number(version)) return [];
    return all("template[data-step]", fresh).filter((step) => Number(step.dataset.step) > Number(moves));
  }

  async function showStep(step, hand) {
    remember(room());
    all("[data-part]", step.content).forEach((part) => show(part.cloneNode(true)));
    stateOf(room()).dataset.hand = hand;
    await new Promise((landed) => play(room(), landed));
    room().dataset.stepping = "";
    await new Promise((done) => { rest = done; setTimeout(done, REST); });
  }

  /* Called when the state whose turn it is is swapped. */
  function begin() {
    clearTimeout(dropped);
  }

  /* Called when the last card has landed, or if nothing was shown. */
  function end() {
    delete room().dataset.stepping;
    lock(false);
    isHurried = false;
    free();
  }

  /* End the animation at once. */
  function finish() {
    if ("stepping" in room().dataset || "moving" in room().dataset) isHurried = true;
    land();
    rest();
  }

  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, finish);
  document.addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

  return {
    finish,
    begin,
    end,
    isHurried: () => isHurried,
    /* Wait for a state's turn to be swapped, and show the steps that lead to it. */
    async lead(fresh) {
      const before = shown;
      let mine;
      shown = new Promise((done) => { mine = done; });
      await before;
      free = mine;
      const steps = isHasty() ? [] : unseen(fresh);
      lock(steps.length > 0);
      for (const step of steps) if (!isHurried) await showStep(step, fresh.dataset.hand);
      dropped = setTimeout(end, DROPPED);
    },
  };
}
