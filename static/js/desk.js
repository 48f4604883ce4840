/* Taps at the odds desk while a request is pending: they are queued and repeated on the new page one by one. The address
   of each link contains the whole question, so a link of the old page would lack what was tapped before it. */
import { announce, one } from "./common.js";

const waiting = [];
let pending = false;

const isOfDesk = (ctx) => ctx.target?.id === "desk";

document.addEventListener("click", (event) => {
  const link = event.target.closest("#desk a[hx-get][id]");
  if (!pending || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  waiting.push(link.id);
}, true);

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => { if (isOfDesk(ctx)) pending = true; });
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!isOfDesk(ctx)) return;
  pending = false;
  if (ctx.status === "swapped") setTimeout(next);
  else waiting.length = 0; // they refer to a page that could not be loaded
});

/* The answer is in the page and its links work: follow the queued taps one by one, and say what the last one came to. */
function next() {
  while (!pending && waiting.length) one(`#desk a[id="${waiting.shift()}"]`)?.click();
  const best = one("#desk .odds__verdict"); // not there until it is worked out
  if (!pending && best) announce(best.textContent);
}
