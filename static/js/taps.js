/* A tap while cards are moving ends the animation. It does not press a button that appears by it, and neither does the
   second tap of a double tap. */
import { finish } from "./motion.js";

const SOON = 400; // milliseconds
const NEAR = 24; // pixels

let cutShort = false;
let isUnseen = false; // the card under the tap was marked by the server, but does not show it yet
let swappedAt = 0;
let tap = { x: 0, y: 0, at: -1000 };

for (const kind of ["swapped", "wake", "htmx:after:swap"]) document.addEventListener(kind, () => { swappedAt = performance.now(); });

document.addEventListener("pointerdown", (event) => {
  isUnseen = event.target.closest("[data-look]") !== null;
  cutShort = finish();
  if (event.target.closest("#room")) document.getAnimations().forEach((each) => { if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish(); });
});

// Buttons of a replay keep their places and may be tapped at any speed.
document.addEventListener("click", (event) => {
  if (!event.detail) return; // pressed by a key or a script
  const last = tap;
  tap = { x: event.clientX, y: event.clientY, at: event.timeStamp };
  const again = tap.at - last.at < SOON && Math.hypot(tap.x - last.x, tap.y - last.y) < NEAR;
  const brought = cutShort && (isUnseen || event.target.closest("[data-after]"));
  cutShort = false;
  if (brought || (again && swappedAt > last.at && event.target.closest("#room button, #room a:not([id^='step-'])"))) {
    event.preventDefault();
    event.stopPropagation();
  }
}, true);

document.addEventListener("input", () => { tap.at = -1000; }); // typing in between rules out a double tap
