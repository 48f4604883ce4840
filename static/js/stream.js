/* The event stream of a shared table, which htmx's extension reads: a message without a name consists of parts, and is
   swapped. Without a stream the page polls. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import "../vendor/hx-sse-4.0.1.min.js";
import { one } from "./common.js";

const POLL = 3000;
const SILENT = 12000; // milliseconds, a beat and two seconds: the connection is lost, and nobody has noticed
const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");

const place = () => document.getElementById("stream");

/* `words`: parameters of the stream's address besides the page. `isSeated`: a player's stream goes on in the background.
   `look` reads the table. */
export function createStream(words, isSeated, look) {
  let isOver = false; // the table is gone, or its viewer has too many streams
  let heard = Date.now();
  let hasSpoken = false; // a proxy that buffers lets a stream open, and delivers nothing

  /* Open a stream in place of the one that is open: it belongs to the viewer who opens it. */
  function open() {
    if (isOver) return;
    heard = Date.now();
    hasSpoken = false;
    const fresh = place().cloneNode();
    fresh.setAttribute("hx-sse:connect", `${fresh.dataset.events}&${new URLSearchParams({ page: PAGE, ...words() })}`);
    fresh.setAttribute("hx-sse:close", "full"); // another page of the same viewer has taken the place
    fresh.setAttribute("hx-swap", "none");
    fresh.setAttribute("hx-config", JSON.stringify({ sse: { pauseOnBackground: !isSeated(), connectTimeout: 10000 } }));
    swap(fresh);
  }

  /* htmx ends the stream of an element that it replaces. */
  function swap(fresh) {
    fresh.removeAttribute("data-htmx-powered");
    htmx.swap({ sourceElement: document.body, target: place(), swap: "outerHTML", text: fresh.outerHTML });
  }

  function close() {
    hasSpoken = false; // so that the page polls
    const fresh = place().cloneNode();
    fresh.removeAttribute("hx-sse:connect");
    swap(fresh);
  }

  const isOpen = () => Boolean(one("#stream[hx-sse\\:connect]"));
  const isMinded = () => document.visibilityState === "visible" || isSeated();

  /* The connection of before can be dead, and say nothing. */
  function comeBack() {
    look();
    open();
  }

  document.addEventListener("htmx:sse:before:message", () => { heard = Date.now(); hasSpoken = true; });
  document.addEventListener("htmx:sse:after:connection", () => { heard = Date.now(); });
  document.addEventListener("full", close);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    if (!isOpen() || Date.now() - heard > SILENT) comeBack();
    else look();
  });

  return {
    isOpen,
    open,
    comeBack,
    start() {
      setTimeout(open); // after htmx has looked through the page, or there would be two
      setInterval(() => {
        if (!isMinded()) return;
        if (isOpen() && Date.now() - heard > SILENT) comeBack();
        else if (!hasSpoken) look();
      }, POLL);
    },
    /* End it: the table does not exist any more. */
    end() { isOver = true; close(); },
  };
}
