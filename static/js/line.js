/* The line to the site, the same for games played alone and for shared tables: an action is sent until it is answered, the
   bar says how the line is, and a page that has been away or without a line reads what there is now, once. */
import { later, one } from "./common.js?v=9ccbe3b64d";

export const RETRY_AFTER = [500, 1000, 2000, 4000];

/* A proxy's own page, not ours: nobody has answered. */
export const isUnanswered = (status) => [502, 503, 504].includes(status);

/* Send a request until it is answered: the same again, it can only be done once. Null if it never is. */
export async function request(url, options, waits, unanswered = () => {}) {
  for (const wait of waits) {
    if (wait) await later(wait);
    try {
      const answer = await fetch(url, options);
      if (!isUnanswered(answer.status)) return answer;
    } catch { /* no line: the same again */ }
    unanswered();
  }
  return null;
}

/* The bar that says how the line is: "connecting", "lost", or null where all is well. */
export function showConnection(state) {
  const bar = document.getElementById("connection");
  bar.hidden = !state;
  if (!state) return;
  one("span", bar).textContent = bar.dataset[state];
  one("a", bar).hidden = state !== "lost";
}

/* ---- back again ---- */

/* Read anew when there is a line again, and when the browser shows a page that it had put away. */
export function onReturn(read) {
  window.addEventListener("online", read);
  window.addEventListener("pageshow", (event) => { if (event.persisted) read(); });
}
