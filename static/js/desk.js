/* Taps at the odds desk while an answer is under way: they wait, and are made on the new page one after the other. Each
   link has the whole question in its address, so a link of the old page would lack what was tapped before it. */
import { one } from "./common.js?v=10cbdc9a16";

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

/* The answer lies there and its links are alive: what was tapped meanwhile follows, one after the other. */
function next() {
  pending = false;
  while (!pending && waiting.length) one(`#desk a[id="${waiting.shift()}"]`)?.click();
}
document.addEventListener("htmx:afterSettle", (event) => { if (ofDesk(event.target)) next(); });
for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout", "htmx:swapError"]) {
  document.addEventListener(failure, (event) => {
    if (!ofDesk(event.target)) return;
    waiting.length = 0; // what was asked before them is not there
    pending = false;
  });
}
