/* What happens to the room, the same at a table for one and at one that people share: an action is sent, once, until it is
   answered; the room of the answer takes the place of the old one, its cards first; what it says is announced; when the
   last card lies there the page wakes, and the focus is where the next decision is; and a page that comes back is read anew.
   What is different at a table that people share is plugged in (table.js).

   On the document: "swapping" before a room or a finished hand is replaced, "swapped" when a fresh one is there and nothing
   moves yet, "wake" when its last card lies there, and once with the page. */
import { announce, one, room } from "./common.js?v=10cbdc9a16";
import { fillCuts, goOn } from "./cuts.js?v=7d3d2cdb15";
import { focusLater, keptOfRoom, restore } from "./focus.js?v=8e8389795e";
import { PART, RETRY_AFTER, onReturn, request, showConnection } from "./line.js?v=fbdf49fff7";
import { clearAway, finish, layBack, play, remember } from "./motion.js?v=b22fcba0f6";

export const parsed = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("room");
const tell = (name) => document.dispatchEvent(new Event(name));

let own = {
  address: () => room()?.dataset.board, // where the room is read anew
  asksOn: false, // it is read again and again, so that one time more or less does not matter
  ask: send, // how an action is sent
  finish, // show the end of what moves
  hear: () => {}, // what the headers of an answer say
  take: replace, // put a fresh room into the page
  isBehind: () => false, // after an action there is more to be read
  comeBack: read,
};

export function plug(parts) {
  own = { ...own, ...parts };
}

/* ---- what the room says ---- */

let said = "";
let saidAt = 0;

export const lastSaid = () => saidAt;

/* What is not new is said only to who has asked for it, by an action or a step. */
export function say(root, isAsked = false) {
  const text = root?.dataset.say?.trim();
  if (!text || (text === said && (!isAsked || isAutomatic))) return;
  said = text;
  saidAt = performance.now();
  announce(text);
}

/* ---- a fresh room ---- */

/* Replace a room, or a finished hand, by another state of it. `swap` does it, and returns what is there then. */
export function show(old, swap, hasActed = false) {
  const landed = begin(old);
  landed(swap(), hasActed);
}

/* The same in two steps, for who swaps by other means: returns what is to be called when the fresh one is there. */
export function begin(old) {
  tell("swapping");
  remember(old);
  const was = keptOfRoom(old);
  // else what has its id is focused at once: the page is laid out for it, and then it is held back
  if (was.tag) document.activeElement.blur();
  return (fresh, hasActed = false) => {
    if (!hasActed) restore(fresh, was);
    tell("swapped");
    say(fresh, hasActed || fresh.matches("#finish"));
    play(fresh, () => land(fresh, was, hasActed));
  };
}

/* The last card lies there: what goes on is in the page now. */
export function land(root, was, hasActed) {
  wake();
  focusLater(root, was, hasActed);
}

export function wake() {
  const news = one("[data-announce]"); // what a page that was asked for by a form has to say
  if (news) announce(news.textContent);
  tell("wake");
  fillCuts();
  if (!isUnderWay) goOn();
}

function replace(fresh, hasActed) {
  show(room(), () => {
    room().replaceWith(fresh);
    return fresh;
  }, hasActed);
}

/* ---- an action ---- */

let isUnderWay = false;
let isAutomatic = false; // the page has sent it by itself
let sent = 0;

export const isSending = () => isUnderWay;

export function send(url, body) {
  return request(url, { method: "POST", body, headers: PART }, [0, ...RETRY_AFTER], () => {
    layBack();
    showConnection("connecting");
  });
}

async function act(form, submitter) {
  isUnderWay = true;
  isAutomatic = "auto" in form.dataset;
  sent += 1;
  form.dataset.sent = "";
  fillCuts();
  const body = new URLSearchParams(new FormData(form, submitter));
  if ("clears" in form.dataset) clearAway(room());
  const got = await own.ask(form.dataset.send || form.getAttribute("action"), body);
  const fresh = got && parsed(got.html);
  if (fresh) {
    showConnection(null);
    own.hear(got.answer);
    own.take(fresh, true, !got.answer.ok);
  } else {
    layBack();
    showConnection("lost");
  }
  delete form.dataset.sent;
  isUnderWay = false;
  isAutomatic = false;
  goOn();
  if (isDue && (!fresh || own.asksOn) || own.isBehind()) read();
}

/* While an action is on its way nothing else is: the state that it was meant for is about to go. Only what does not touch
   the hand, a reaction or a setting, may be sent. */
window.addEventListener("submit", (event) => {
  if (!isUnderWay || event.target.matches("[data-ask], [data-reaction]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-send]")) return;
  event.preventDefault();
  own.finish();
  if (form.isConnected) act(form, event.submitter); // else it was pressed by a key while cards moved: there is another dock now
});

/* ---- the room as it is now ---- */

let isReading = false;
let isDue = false; // it is asked for again, when this answer is there

/* While an action is on its way nothing is asked: an answer from before it may be a stranger's, if it was the first. */
export async function read() {
  if (isReading || isUnderWay) { isDue = true; return; }
  const from = own.address();
  if (!from) return;
  isReading = true;
  isDue = false;
  const before = sent;
  const got = await request(from, { headers: PART, cache: "no-store" }, own.asksOn ? [0] : [0, ...RETRY_AFTER], () => {
    if (document.getElementById("connection").hidden) showConnection("connecting");
  });
  isReading = false;
  if (before !== sent) isDue = own.asksOn; // an action was sent meanwhile, and its answer is newer
  else if (got) {
    own.hear(got.answer);
    if (got.answer.ok) showConnection(null);
    // any other answer is no reason to take the table away
    const fresh = (got.answer.ok || got.answer.status === 404) && parsed(got.html);
    if (fresh) own.take(fresh);
  } else if (!own.asksOn) showConnection("lost");
  if (isDue && !isUnderWay) read();
}

onReturn(() => own.comeBack());
