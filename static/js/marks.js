/* Cards that are marked to be held: the marks are kept by the site, so that they outlive the page. */
import { announce } from "./common.js?v=10cbdc9a16";
import { PART } from "./line.js?v=fbdf49fff7";
import { isSending, read } from "./room.js?v=bc82439363";

let marks = Promise.resolve();

function keepMark(box) {
  const form = box.form;
  const body = new URLSearchParams({ verb: "mark", arg: box.value, held: box.checked ? "1" : "0" });
  // one after another, so that the last tap is the last word
  marks = marks
    .then(() => fetch(form.action, { method: "POST", body, keepalive: true, headers: PART }))
    .then((answer) => { if (answer.status !== 204 && form.isConnected && !form.closest("[data-held]") && !isSending()) read(); })
    .catch(() => {}); // a mark that is lost costs nothing: the draw carries its own
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-mark]")) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8); // before that a browser complains
  keepMark(event.target);
  // marked by its key it has not got the focus: nobody would hear what became of it
  const words = event.target.closest("[data-held]");
  if (words && event.target !== document.activeElement) {
    announce(`${event.target.getAttribute("aria-label")}: ${event.target.checked ? words.dataset.held : words.dataset.loose}`);
  }
});
