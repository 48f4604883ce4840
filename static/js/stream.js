/* The event stream of a shared table. It is closed while the page is hidden and opened again when it is shown; without a
   stream, the page polls. */
import { room } from "./common.js";

const POLL = 3000;
const FAILURES = 12; // in a row, after which the page polls for a while: a site that restarts takes some seconds
const REST = 60000;
const SILENT = 25000; // milliseconds, two and a half beats: the connection is lost, and the browser has not noticed
const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");

const isSeated = () => "seated" in room().dataset;
const isMinded = () => document.visibilityState === "visible" || isSeated();

/* `words`: parameters of the stream's address besides the page. `hear`: a function for each kind of event. */
export function createStream(words, hear, look, onLine) {
  let source = null;
  let isOver = false;
  let failed = 0;
  let polling = 0;
  let heard = 0;
  let hasSpoken = false; // a proxy that buffers lets a stream open, and delivers nothing

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
      if (source.readyState !== EventSource.CLOSED && ++failed < FAILURES) return; // the browser reconnects by itself
      close();
      setTimeout(() => { failed = 0; listen(); }, REST);
    });
    source.addEventListener("open", () => { failed = 0; heard = Date.now(); onLine(); });
  }

  /* The page was hidden, asleep or offline: read the table once, and reconnect the stream. */
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
    /* Open another one: a stream belongs to the viewer who opens it. */
    reopen() { close(); listen(); },
    /* End it: the table does not exist any more. */
    end() { isOver = true; close(); },
  };
}
