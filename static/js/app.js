/* Entry point: the script of every page. It starts the modules that all pages need; modules that only some pages need are
   loaded by those pages and register themselves. Everything also works without scripts. No inline handlers, no eval. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { one, room } from "./common.js";
import { announceRoom, wake } from "./room.js";
import "./taps.js";
import "./keys.js";
import "./bets.js";
import "./newcomer.js";

/* Text that the browser itself enlarges gets the room that our setting of that size gives it. */
const page = document.documentElement;
const size = parseFloat(getComputedStyle(page).fontSize);
if (!page.dataset.text && size >= 22) Object.assign(page.dataset, { text: size < 30 ? "150" : "200", enlarged: "" });

/* htmx itself would look through the page in a task of its own, after which a press or an automatic deal may have come. */
document.addEventListener("DOMContentLoaded", () => {
  htmx.process(document.body);
  wake();
  if (one("#room[data-safe]")) announceRoom(room()); // a page in the middle of a hand says where it stands
}); // by then the modules of the page have registered themselves

/* What shares is loaded when it is asked for; without it the link opens what would be shared. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  import("./share.js").then(({ share }) => share(link), () => location.assign(link.href));
});
