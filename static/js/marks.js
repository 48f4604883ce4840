/* Cards marked to be held: each mark is sent to the server, so that it is kept when the page is reloaded. */
import { announce } from "./common.js";
import { PART } from "./connection.js";
import { isSending, read } from "./room.js";

let marks = Promise.resolve();

function keepMark(box) {
  const form = box.form;
  const body = new URLSearchParams({ verb: "mark", arg: box.value, held: box.checked ? "1" : "0" });
  // one after another, so that the last tap wins
  marks = marks
    .then(() => fetch(form.action, { method: "POST", body, keepalive: true, headers: PART }))
    .then((answer) => { if (answer.status !== 204 && form.isConnected && !form.closest("[data-held]") && !isSending()) read(); })
    .catch(() => {}); // a lost mark does no harm: the draw sends all of them
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-mark]")) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8); // otherwise browsers log a warning
  keepMark(event.target);
  // toggled by its key it does not have the focus, so the change must be announced
  const words = event.target.closest("[data-held]");
  if (words && event.target !== document.activeElement) {
    announce(`${event.target.getAttribute("aria-label")}: ${event.target.checked ? words.dataset.held : words.dataset.loose}`);
  }
});
