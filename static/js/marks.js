/* Cards marked to be held: each mark is sent to the server, so that it is kept when the page is reloaded. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { announce } from "./common.js";
import { isSending, read } from "./room.js";

document.addEventListener("change", (event) => {
  const box = event.target;
  if (!box.matches("[data-mark]")) return;
  const byCoach = event.detail === "coach"; // who has just been heard
  if (!byCoach && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8); // otherwise browsers log a warning
  const values = { verb: "mark", arg: box.value, held: box.checked ? "1" : "0" };
  htmx.ajax("POST", box.form.getAttribute("action"), { source: box, values });
  // toggled by its key it does not have the focus, so the change must be announced
  const words = box.closest("[data-held]");
  if (!byCoach && words && box !== document.activeElement) {
    announce(`${box.getAttribute("aria-label")}: ${box.checked ? words.dataset.held : words.dataset.loose}`);
  }
});

/* The answer to a mark is empty; otherwise the hand has moved on. A lost mark does no harm: the draw sends all of them. */
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const box = ctx.sourceElement;
  if (box.matches("[data-mark]") && ctx.response.status !== 204 && box.isConnected && !isSending()) read();
});
