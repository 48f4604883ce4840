/* The event stream of a shared table. It is closed where nobody looks at the page, and opened again by whoever does;
   where there is none, the page asks from time to time. */
import { room } from "./common.js?v=5f02aa32b8";

const POLL = 3000;
const FAILURES = 4; // in a row, after which it is given up for a while
const REST = 60000;
const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");

const isSeated = () => "seated" in room().dataset;
const isMinded = () => document.visibilityState === "visible" || isSeated();

/* `words` are what the stream's address says besides the page. `hear` has a function for each kind of event. */
export function createStream(words, hear, look, onLine) {
  let source = null;
  let isOver = false;
  let failed = 0;
  let polling = 0;

  function close() {
    source?.close();
    source = null;
  }

  function listen() {
    if (source || isOver || !window.EventSource || !isMinded()) return;
    source = new EventSource(`${room().dataset.events}?${new URLSearchParams({ page: PAGE, ...words() })}`);
    for (const [kind, take] of Object.entries(hear)) source.addEventListener(kind, (event) => { failed = 0; take(event.data); });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED && ++failed < FAILURES) return; // it tries again by itself
      close();
      setTimeout(() => { failed = 0; listen(); }, REST);
    });
    source.addEventListener("open", () => { failed = 0; onLine(); });
  }

  function poll() {
    clearTimeout(polling);
    polling = setTimeout(() => { if (!source && isMinded()) look(); poll(); }, POLL);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") { listen(); look(); }
    else if (!isSeated()) close();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) { listen(); look(); } });
  window.addEventListener("online", () => { close(); listen(); look(); });

  return {
    isOpen: () => Boolean(source),
    start() { listen(); poll(); },
    /* Another one: it belongs to the viewer who opens it. */
    reopen() { close(); listen(); },
    /* There is no table any more. */
    end() { isOver = true; close(); },
  };
}
