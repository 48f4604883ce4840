/* Requests that are repeated until they are answered, the bar that shows the state of the connection, and reloading of
   the table when a page or the network comes back. */
import { announce, later, one } from "./common.js";

export const PART = { "HX-Request": "true" }; // the answer is a fragment, not a whole page
export const RETRY_AFTER = [500, 1000, 2000, 4000];

/* True for the status of a proxy's error page, or of a site that is temporarily unavailable. */
export const isUnanswered = (status) => [502, 503, 504].includes(status);

/* Send a request, and repeat it until it is answered; the server executes a repeated one once. `waits`: milliseconds before
   each attempt; `unanswered` is called after each failure. Returns the answer and its text, or null without any answer. */
export async function request(url, options, waits, unanswered = () => {}) {
  let last = null;
  for (const wait of waits) {
    if (wait) await later(wait);
    try {
      const answer = await fetch(url, options);
      last = { answer, html: await answer.text() }; // throws if the connection breaks in the middle
      if (!isUnanswered(answer.status)) return last;
    } catch { // no connection
      last = null;
    }
    unanswered();
  }
  return last;
}

/* Show the state of the connection in the bar: "connecting", "lost", or null for none. */
export function showConnection(state) {
  const bar = document.getElementById("connection");
  bar.hidden = !state;
  if (!state) return;
  one("span", bar).textContent = bar.dataset[state];
  one("a", bar).hidden = state !== "lost";
  if (state === "lost") announce(bar.dataset.lost);
}

/* Call `read` when the network is back, and when the browser restores a page from its cache. */
export function onReturn(read) {
  window.addEventListener("online", read);
  window.addEventListener("pageshow", (event) => { if (event.persisted) read(); });
}
