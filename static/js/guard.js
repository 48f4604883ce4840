/* Guarded buttons: one that would give up a full house or better must be held down for half a second, or its key pressed
   twice. The button shows how much time is left. */
import { announce, one } from "./common.js";

const LONG = 500; // milliseconds
const SOON = 5000; // milliseconds within which the key must be pressed again

let holding = null; // the button that is held down: its timer and its progress animation
let armed = 0; // time of the first press of the key

const guarded = (target) => target.closest("[data-draw][data-guarded]");

/* Set the label of a button, and whether it must be held down. */
export function guard(button, wanted, words) {
  const on = wanted && button.dataset.precious !== undefined;
  button.toggleAttribute("data-guarded", on);
  one("[data-draw-text]", button).textContent = on ? button.dataset.precious : words;
  if (on) button.setAttribute("aria-description", words);
  else button.removeAttribute("aria-description");
  armed = 0;
}

function letGo() {
  if (!holding) return;
  clearTimeout(holding.timer);
  holding.light?.remove();
  holding = null;
}

function go(button) {
  letGo();
  armed = 0;
  button.form.requestSubmit(button);
}

document.addEventListener("pointerdown", (event) => {
  const button = guarded(event.target);
  if (!button || event.button) return;
  letGo();
  const light = document.createElement("span");
  light.className = "btn__fill";
  button.append(light);
  holding = { light, timer: setTimeout(() => go(button), LONG) };
  // after this event, because a tap ends all animations
  setTimeout(() => light.animate({ transform: ["scaleX(0)", "scaleX(1)"] }, { duration: LONG, fill: "forwards" }));
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, letGo);
document.addEventListener("pointermove", (event) => {
  if (holding && !guarded(document.elementFromPoint(event.clientX, event.clientY) ?? document.body)) letGo();
});
document.addEventListener("contextmenu", (event) => { if (guarded(event.target)) event.preventDefault(); });

document.addEventListener("click", (event) => {
  const button = guarded(event.target);
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const text = one("[data-draw-text]", button);
  if (event.detail) { // released too early
    announce(button.dataset.precious);
  } else if (armed && event.timeStamp - armed < SOON) {
    go(button);
  } else {
    armed = event.timeStamp;
    text.textContent = button.dataset.onceMore;
    announce(button.dataset.onceMore);
  }
}, true);
