/* The room, the part of the page with the table, for solo and shared games alike: sends an action until it is answered,
   replaces the room by the answer with its cards first (motion.js), announces its sentence, restores the focus, and
   reloads the room when the page comes back. Shared tables plug in what they do differently (table.js).

   Events on the document: "swapping" before a room or a finished hand is replaced, "swapped" when the new one is in the
   page and nothing moves yet, "wake" when its last card has landed, and once when the page is loaded. */
import { all, announce, one, room } from "./common.js";
import { fillCuts, goOn } from "./cuts.js";
import { focusLater, keptOfRoom, restore } from "./focus.js";
import { PART, RETRY_AFTER, onReturn, request, showConnection } from "./connection.js";
import { clearAway, finish, layBack, play, remember } from "./motion.js";

export const parsed = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("room");
const tell = (name) => document.dispatchEvent(new Event(name));

let own = {
  address: () => room()?.dataset.board, // address of the current room
  asksOn: false, // the room is polled, so that a failed request need not be repeated
  ask: send, // sends an action
  finish, // ends an animation
  hear: () => {}, // reads the headers of an answer
  take: replace, // puts a new room into the page
  isBehind: () => false, // whether the room must be read again after an action
  comeBack: read, // called when the page or the network is back
};

export function plug(parts) {
  own = { ...own, ...parts };
}

/* ---- announcements ---- */

let said = "";
let saidAt = 0;

export const lastSaid = () => saidAt;

/* Announce the sentence of a room. One that has just been announced is repeated only after an action or a step. */
export function say(root, isAsked = false) {
  const text = root?.dataset.say?.trim();
  if (!text || (text === said && (!isAsked || isAutomatic))) return;
  said = text;
  saidAt = performance.now();
  announce(text);
}

/* ---- a new room ---- */

/* Replace a room, or a finished hand, by a new state. `swap` does it and returns the new element. */
export function show(old, swap, hasActed = false) {
  const landed = begin(old);
  landed(swap(), hasActed);
}

/* The same in two steps, for other ways of swapping: returns a function to be called with the new element. */
export function begin(old) {
  tell("swapping");
  remember(old);
  const was = keptOfRoom(old);
  // otherwise the browser focuses the element with the same id at once, which costs a layout
  if (was.tag) document.activeElement.blur();
  return (fresh, hasActed = false) => {
    if (!hasActed) restore(fresh, was);
    tell("swapped");
    say(fresh, hasActed || fresh.matches("#finish"));
    play(fresh, () => land(fresh, was, hasActed));
  };
}

/* Called when the last card has landed and all of the new state is shown. */
export function land(root, was, hasActed) {
  wake();
  focusLater(root, was, hasActed);
}

export function wake() {
  const news = one("[data-announce]"); // the message of a page that was loaded by a form
  if (news) announce(news.textContent);
  tell("wake");
  fillCuts();
  if (!isUnderWay) goOn();
}

/* `data-kept` is the place of an element that has not changed and is not sent again: its name after `data-after`. */
function keep(fresh) {
  for (const place of all("[data-kept]", fresh)) {
    const old = one(`[data-after="${place.dataset.kept}"]`, room());
    if (old) place.replaceWith(old);
  }
}

function replace(fresh, hasActed) {
  show(room(), () => {
    keep(fresh);
    room().replaceWith(fresh);
    return fresh;
  }, hasActed);
}

/* ---- an action ---- */

let isUnderWay = false;
let isAutomatic = false; // it was submitted by the page itself
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

/* While an action is pending, no other is sent: it would be meant for a state that is about to change. Reactions and
   settings, which do not concern the hand, may be sent. */
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
  if (form.isConnected) act(form, event.submitter); // otherwise a key was pressed while cards moved, and the dock has been replaced
});

/* ---- reading the room ---- */

let isReading = false;
let isDue = false; // it is to be read again after this answer

/* Not while an action is pending: if that is the first one and makes the player, the answer would be that of a stranger. */
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
  if (before !== sent) isDue = own.asksOn; // an action was sent meanwhile; its answer is newer
  else if (got) {
    own.hear(got.answer);
    if (got.answer.ok) showConnection(null);
    // after any other error the table stays
    const fresh = (got.answer.ok || got.answer.status === 404) && parsed(got.html);
    if (fresh) own.take(fresh);
  } else if (!own.asksOn) showConnection("lost");
  if (isDue && !isUnderWay) read();
}

onReturn(() => own.comeBack());
