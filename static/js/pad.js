/* A count that is written with the minus sign of the page, and buttons that add to it: a telephone's keys for numbers often
   have no minus. */
import { one } from "./common.js";

const MOST = 1999;

const isCount = (field) => field.matches("[data-count]");

function add(field, step) {
  const count = (Number(field.value.replace("−", "-")) || 0) + step;
  field.value = String(Math.min(Math.max(count, -MOST), MOST)).replace("-", "−");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add]");
  if (button) add(one("input", button.parentElement), Number(button.dataset.add));
});

document.addEventListener("input", ({ target }) => {
  if (!isCount(target) || !target.value.includes("-")) return;
  const { selectionEnd } = target;
  target.value = target.value.replaceAll("-", "−");
  target.setSelectionRange(selectionEnd, selectionEnd);
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (!step || !isCount(event.target)) return;
  event.preventDefault();
  add(event.target, step);
});

/* With a keyboard, digits go into the field from the beginning, though nothing had the focus while the cards were shown; on a
   phone its keys would cover the pad. On a whole page the browser does it. */
document.addEventListener("wake", () => {
  if (document.activeElement === document.body && matchMedia("(pointer: fine)").matches) one("[data-count]:not([autofocus])")?.focus();
});
