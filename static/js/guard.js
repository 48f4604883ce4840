/* A button that would give up a full house or better is held down for half a second, or pressed twice by its key: no slip
   draws such a hand away. How long is left is seen on the button itself. */
import { announce, one } from "./common.js?v=10cbdc9a16";

const LONG = 500; // milliseconds
const SOON = 5000; // until then a second press of the key counts

let holding = null; // what a pointer holds down: its timer, and the light that runs along it
let armed = 0; // when the key was pressed for the first time

const guarded = (target) => target.closest("[data-draw][data-guarded]");

/* Say on a button what it does now, and if it has to be held down for that. */
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
  // after this event: a tap makes everything lie still
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
  if (event.detail) { // let go too soon
    announce(button.dataset.precious);
  } else if (armed && event.timeStamp - armed < SOON) {
    go(button);
  } else {
    armed = event.timeStamp;
    text.textContent = button.dataset.onceMore;
    announce(button.dataset.onceMore);
  }
}, true);
