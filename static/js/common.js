/* Helpers that all scripts share. */

export const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
export const one = (selector, root = document) => root.querySelector(selector);
export const room = () => document.getElementById("room");
/* The element with what scripts know of a table: that of a shared one, otherwise the room or the finished hand itself. */
export const stateOf = (root) => (root && one("#state", root)) ?? root;
export const later = (wait) => new Promise((done) => setTimeout(done, wait));

/* Call `act` after the next frame: measuring a page that was just changed would force a layout within the script; after the
   frame the layout is there. */
export function afterFrame(act) {
  if (document.hidden) act(); // hidden pages have no frames
  else requestAnimationFrame(() => setTimeout(act));
}

/* ---- service worker: a page to show while there is no connection ---- */

addEventListener("load", async () => {
  const worker = one("meta[name='service-worker']");
  if (!worker || !navigator.serviceWorker) return; // available on https and localhost only
  const registered = await navigator.serviceWorker.register(worker.content).catch(() => null);
  registered?.active?.postMessage({ language: document.documentElement.lang });
});

if (one("[data-offline]")) addEventListener("online", () => location.reload());

/* ---- announcements to screen readers ---- */

const CLEARED = 60; // milliseconds: the same sentence again would be no change
const STANDS = 500; // milliseconds: a sentence that is replaced at once is not read out

let spoken = Promise.resolve(); // fulfilled when the last sentence has stood there

/* Say a sentence after those that wait: none replaces another. */
export function announce(sentence) {
  spoken = spoken.then(async () => {
    const status = document.getElementById("status");
    if (!status) return; // the page was cut short on its way
    status.textContent = "";
    await later(CLEARED);
    status.textContent = sentence;
    await later(STANDS);
  });
}
