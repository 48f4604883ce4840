/* The line to the site: a request is sent until it is answered, the bar says how the line is, and a page that has been away
   or without a line reads what there is now, once. */
import { announce, later, one } from "./common.js?v=10cbdc9a16";

export const PART = { "HX-Request": "true" }; // what the page is given is the room, and not another page
export const RETRY_AFTER = [500, 1000, 2000, 4000];

/* A proxy's own page, or a site that cannot answer now. */
export const isUnanswered = (status) => [502, 503, 504].includes(status);

/* Send a request until it is answered: the same again, it can only be done once. Returns the answer with its text, of one
   that cannot be given now the last; null where there is none. */
export async function request(url, options, waits, unanswered = () => {}) {
  let last = null;
  for (const wait of waits) {
    if (wait) await later(wait);
    try {
      const answer = await fetch(url, options);
      last = { answer, html: await answer.text() }; // a line may end in the middle of an answer
      if (!isUnanswered(answer.status)) return last;
    } catch { // no line: the same again
      last = null;
    }
    unanswered();
  }
  return last;
}

/* The bar that says how the line is: "connecting", "lost", or null where all is well. */
export function showConnection(state) {
  const bar = document.getElementById("connection");
  bar.hidden = !state;
  if (!state) return;
  one("span", bar).textContent = bar.dataset[state];
  one("a", bar).hidden = state !== "lost";
  if (state === "lost") announce(bar.dataset.lost);
}

/* Read anew when there is a line again, and when the browser shows a page that it had put away. */
export function onReturn(read) {
  window.addEventListener("online", read);
  window.addEventListener("pageshow", (event) => { if (event.persisted) read(); });
}
