/* Buttons that add to the number beside them: a telephone's keys for numbers often have no minus. */
import { one } from "./common.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add]");
  if (button) one("input", button.parentElement).stepUp(Number(button.dataset.add));
});
