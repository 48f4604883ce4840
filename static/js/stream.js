/* The event stream of a shared table. It is closed where nobody looks at the page, and opened again by whoever does;
   where there is none, the page asks from time to time. */
import { room } from "./common.js?v=10cbdc9a16";

const POLL = 3000;
const FAILURES = 12; // in a row, after which it is given up for a while: a site that starts again takes some seconds
const REST = 60000;
const SILENT = 25000; // two beats and a half: the line has gone, and the browser has not been told
const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");

const isSeated = () => "seated" in room().dataset;
const isMinded = () => document.visibilityState === "visible" || isSeated();

/* `words` are what the stream's address says besides the page. `hear` has a function for each kind of event. */
export function createStream(words, hear, look, onLine) {
  let source = null;
  let isOver = false;
  let failed = 0;
  let polling = 0;
  let heard = 0;
  let hasSpoken = false; // a proxy that keeps what is said until there is more of it lets a stream open, and be silent

  function close() {
    source?.close();
    source = null;
  }

  function listen() {
    if (source || isOver || !window.EventSource || !isMinded()) return;
    source = new EventSource(`${room().dataset.events}?${new URLSearchParams({ page: PAGE, ...words() })}`);
    heard = Date.now();
    hasSpoken = false;
    for (const [kind, take] of Object.entries(hear)) {
      source.addEventListener(kind, (event) => { failed = 0; heard = Date.now(); hasSpoken = true; take(event.data); });
    }
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED && ++failed < FAILURES) return; // it tries again by itself
      close();
      setTimeout(() => { failed = 0; listen(); }, REST);
    });
    source.addEventListener("open", () => { failed = 0; heard = Date.now(); onLine(); });
  }

  /* The page was away, asleep or without a line: it asks once how the table is now, and listens from there on. */
  function comeBack(anew = Date.now() - heard > SILENT) {
    if (anew) close();
    Promise.resolve(look()).then(listen);
  }

  function poll() {
    clearTimeout(polling);
    polling = setTimeout(() => {
      if (source && Date.now() - heard > SILENT) comeBack();
      else if (!(source && hasSpoken) && isMinded()) look();
      poll();
    }, POLL);
  }

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") comeBack();
    else if (!isSeated()) close();
  });
  window.addEventListener("pagehide", close);

  return {
    isOpen: () => Boolean(source),
    comeBack,
    start() { listen(); poll(); },
    /* Another one: it belongs to the viewer who opens it. */
    reopen() { close(); listen(); },
    /* There is no table any more. */
    end() { isOver = true; close(); },
  };
}
