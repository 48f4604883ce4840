/* Taps at the odds desk while a request is pending: they are queued and repeated on the new page one by one. The address
   of each link contains the whole question, so a link of the old page would lack what was tapped before it. */
import { one } from "./common.js";

const waiting = [];
let pending = false;

const ofDesk = (element) => element?.closest?.("#desk");

document.addEventListener("click", (event) => {
  const link = event.target.closest("#desk a[hx-get][id]");
  if (!pending || !link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  waiting.push(link.id);
}, true);

document.addEventListener("htmx:beforeRequest", (event) => { if (ofDesk(event.target)) pending = true; });

/* The answer is in the page and its links work: follow the queued taps one by one. */
function next() {
  pending = false;
  while (!pending && waiting.length) one(`#desk a[id="${waiting.shift()}"]`)?.click();
}
document.addEventListener("htmx:afterSettle", (event) => { if (ofDesk(event.target)) next(); });
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  document.addEventListener(failure, (event) => {
    if (!ofDesk(event.target)) return;
    waiting.length = 0; // they refer to a page that could not be loaded
    pending = false;
  });
}
