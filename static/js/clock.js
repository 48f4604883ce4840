/* The clock of a shared table: counts down to the deadline in the page, by the server's time. */
import { one, room, stateOf } from "./common.js";

const LATE = 5000; // milliseconds before the end
const ASK_AGAIN = 1500;

/* `look` reads the table: its timer acts on the deadline, and if the result is not pushed, the page requests it. */
export function createClock(look) {
  let ticking = 0;
  const state = () => stateOf(room()).dataset;
  let ahead = Number(state().now) - performance.now(); // milliseconds by which the server's clock is ahead of the page's

  function start() {
    const clock = one("[data-clock]");
    clearTimeout(ticking);
    if (!clock) return;
    const deadline = Number(clock.dataset.deadline);
    const span = Number(clock.dataset.span);
    const asked = state().version;
    let lookedAt = 0;
    const tick = () => {
      if (!clock.isConnected) return;
      const left = Math.max(0, deadline - ahead - performance.now()); // `ahead` changes: the page's clock stands still in sleep
      one("[data-seconds]", clock).textContent = String(Math.ceil(left / 1000));
      one(".clock__left", clock).setAttribute("width", String(Math.round((200 * left) / span)));
      clock.classList.toggle("clock--late", left < LATE);
      clock.classList.toggle("clock--over", left === 0);
      if (left === 0 && state().version === asked && performance.now() - lookedAt > ASK_AGAIN) {
        const wait = lookedAt ? 0 : 400 + 400 * Math.random();
        lookedAt = performance.now() + wait;
        setTimeout(look, wait);
      }
      ticking = setTimeout(tick, 200);
    };
    tick();
  }

  return { start, set(now) { ahead = now - performance.now(); } };
}
