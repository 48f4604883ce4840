/* What the scripts of all pages share. Other scripts import it under the hash of its content, as pages link static files:
   who changes a letter here changes the address there, and a test says which it is. */

export const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
export const one = (selector, root = document) => root.querySelector(selector);
export const room = () => document.getElementById("room");
export const later = (wait) => new Promise((done) => setTimeout(done, wait));

/* When the browser has drawn the next frame: a look at a page that was just changed would have it laid out within a script,
   and then it lies there already. */
export function afterFrame(act) {
  if (document.hidden) act(); // no frame comes
  else requestAnimationFrame(() => setTimeout(act));
}

/* ---- the installed site: a page to show while there is no connection ---- */

addEventListener("load", async () => {
  const worker = one("meta[name='service-worker']");
  if (!worker || !navigator.serviceWorker) return; // only over https, or on this machine
  const registered = await navigator.serviceWorker.register(worker.content).catch(() => null);
  registered?.active?.postMessage({ language: document.documentElement.lang });
});

if (one("[data-offline]")) addEventListener("online", () => location.reload());

/* ---- what a screen reader hears ---- */

export function announce(sentence) {
  const status = document.getElementById("status");
  status.textContent = "";
  setTimeout(() => { status.textContent = sentence; }, 60);
}
