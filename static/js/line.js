/* The line to the site: requests are repeated until they are answered, and the bar says when that takes long. htmx sends
   all requests through `ask`, but for event streams. */
import { announce, one, room, stateOf } from "./common.js";

const ENDS = 10000; // milliseconds after which an attempt is given up: a dead connection never answers
const AGAIN = 3000; // milliseconds without an answer after which another attempt begins beside it
const GIVES_UP = 20000; // milliseconds
const RETRY_AFTER = [500, 1000, 2000, 4000]; // milliseconds after each failure
const LATE = 1200; // milliseconds after which an answer is late
const PATIENCE = 2000; // milliseconds after which the bar says that it is connecting

/* True for the status of a proxy's error page, or of a site that is unavailable for a moment. */
const isUnanswered = (status) => [502, 503, 504].includes(status);

const waiting = new Set(); // what to do for each request without an answer when the network is back

/* Send a request until it is answered; the server executes a repeated one once. Returns the answer, with its text read. It
   fails if there is none, or if the request is aborted. `say` is told "late" and "connecting" if that takes long, the latter
   also when an attempt fails, "lost" if there is no answer, and null when there is one. */
export function ask(url, options = {}, say = showConnection) {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const signals = [over.signal, ...(options.signal ? [options.signal] : [])];
    let open = 0;
    let failed = 0;
    let last = null; // an error page: the answer if nothing better comes
    let next = 0;
    const late = setTimeout(say, LATE, "late");
    const slow = setTimeout(say, PATIENCE, "connecting");
    const limit = setTimeout(giveUp, GIVES_UP);

    function end(answer) {
      [next, late, slow, limit].forEach(clearTimeout);
      waiting.delete(attempt);
      over.abort();
      if (answer && !isUnanswered(answer.status)) say(null);
      if (answer) resolve(answer);
      else reject(new DOMException("no answer", "AbortError"));
    }

    function giveUp() {
      if (!last) say("lost");
      end(last);
    }

    function soon(wait) {
      clearTimeout(next);
      next = setTimeout(attempt, wait);
    }

    async function attempt() {
      soon(AGAIN);
      open += 1;
      try {
        const sent = await fetch(url, { ...options, signal: AbortSignal.any([...signals, AbortSignal.timeout(ENDS)]) });
        const content = await sent.arrayBuffer(); // throws if the connection breaks in the middle
        const isWhole = content.byteLength > 0 || sent.status === 204; // browsers take half a head for an empty answer
        const answer = new Response(content.byteLength ? content : null, sent);
        Object.defineProperty(answer, "url", { value: sent.url });
        if (isWhole && !isUnanswered(sent.status)) return void end(answer);
        if (isWhole) last = answer;
      } catch {
        if (over.signal.aborted) return;
        if (options.signal?.aborted) return void end(null);
      }
      open -= 1;
      clearTimeout(late); // "dealing" would take the place of "connecting"
      say("connecting");
      if (failed < RETRY_AFTER.length) soon(RETRY_AFTER[failed]);
      else if (!open) giveUp();
      failed += 1;
    }

    waiting.add(attempt);
    attempt();
  });
}

let isLost = false; // the bar says that there is no connection

/* Ask from time to time whether the site answers again: then the notice goes by itself. */
async function lookAgain() {
  const asked = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(ENDS) };
  const answer = await fetch(one("meta[name='service-worker']").content, asked).catch(() => null);
  if (!isLost) return;
  if (answer?.ok) showConnection(null);
  else setTimeout(lookAgain, AGAIN);
}

/* Show a state of the connection in the bar ("dealing", "playing", "connecting", "lost") or another sentence; null for none. */
export function showConnection(state) {
  if (state === "late") return; // only who has pressed a button waits for it
  if (state === "lost" && !isLost) setTimeout(lookAgain, AGAIN);
  isLost = state === "lost";
  const bar = document.getElementById("connection");
  const words = one("span", bar);
  const before = words.textContent;
  const hand = state === "lost" && stateOf(room())?.dataset.safe; // said only where a hand is dealt
  const sentence = hand || (bar.dataset[state] ?? state ?? "");
  bar.hidden = !state;
  words.textContent = sentence;
  const isWaiting = ["dealing", "playing", "connecting"].includes(state);
  one("a", bar).hidden = isWaiting;
  // each failed attempt says that it is connecting: that is announced once
  if (isWaiting ? state === "connecting" && sentence !== before : state) announce(sentence);
}

/* Call `read` when the network is back, and when the browser restores a page from its cache. Requests that still wait are
   sent again at once. */
export function onReturn(read) {
  const comeBack = () => {
    waiting.forEach((attempt) => attempt());
    read();
  };
  window.addEventListener("online", comeBack);
  window.addEventListener("pageshow", (event) => { if (event.persisted) comeBack(); });
}
