/* The room, the part of the page with the table, for solo and shared games alike. htmx sends actions and swaps their
   answers; this repeats what gets no answer (line.js), shows the cards of an answer first (motion.js), announces its
   sentence, restores the focus, and reads the room when the page comes back. Shared tables plug in what they do
   differently (table.js).

   Events on the document: "swapping" before a room or a finished hand is replaced, "swapped" when the new one is in the
   page and nothing moves yet, "wake" when its last card has landed, and once when the page is loaded. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { all, announce, one, room, stateOf } from "./common.js";
import { fillCuts, goOn } from "./cuts.js";
import { focusLater, keptOfRoom, restore } from "./focus.js";
import { ask, onReturn, showConnection } from "./line.js";
import { clearAway, finish, layBack, play, remember } from "./motion.js";

const tell = (name) => document.dispatchEvent(new Event(name));

let own = {
  address: () => room()?.dataset.board, // address of the current room
  ask, // sends a request for the room, an action or a read
  finish, // ends an animation
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
export function announceRoom(root, isAsked = false) {
  const text = stateOf(root)?.dataset.say?.trim();
  if (!text || (text === said && (!isAsked || isAutomatic))) return;
  said = text;
  saidAt = performance.now();
  announce(text);
}

/* ---- a new room ---- */

/* To be called before a room or a finished hand is replaced; returns a function to be called with the new element. */
function begin(old) {
  tell("swapping");
  remember(old);
  const was = keptOfRoom(old);
  // otherwise htmx focuses the element with the same id at once, which costs a layout
  if (was.tag) document.activeElement.blur();
  return (fresh, hasActed = false) => {
    if (!hasActed) restore(fresh, was);
    tell("swapped");
    announceRoom(fresh, hasActed || fresh.matches("#finish"));
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

/* ---- requests of htmx ---- */

let isUnderWay = false; // an action has been sent
let isAutomatic = false; // it was submitted by the page itself
let pressed = null; // its button, which is lit until there is an answer

export const isSending = () => isUnderWay;
const isOfRoom = (ctx) => ctx.target?.id === "room" && ctx.swap === "outerHTML";
export const isAction = (ctx) => isOfRoom(ctx) && ctx.request.method === "POST";

/* Before htmx collects the fields of a form. */
window.addEventListener("submit", (event) => {
  fillCuts();
  if (event.target.closest("#room")) own.finish();
}, true);

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.hasAttribute("hx-sse:connect")) return; // a stream is no answer that ends
  const isQuiet = ctx.swap === "none" || ctx.sourceElement.matches("[data-poll]"); // the bar does not speak of it
  ctx.fetch = (url, options) => (isOfRoom(ctx) ? own.ask : ask)(url, options, isQuiet ? () => {} : say);
  if (!isAction(ctx)) return;
  pressed = ctx.request.submitter;
  pressed?.toggleAttribute("data-pressed", true);
  isUnderWay = true;
  isAutomatic = "auto" in ctx.sourceElement.dataset;
  if ("clears" in ctx.sourceElement.dataset) clearAway(room());
});

function say(state) {
  if (state === "late" && isUnderWay) {
    room()?.toggleAttribute("data-late", true);
    showConnection(stateOf(room())?.dataset.safe ? "playing" : "dealing");
  } else if (state !== "late") {
    if (state) layBack();
    showConnection(state);
  }
}

const isRoom = (html) => /^\s*(?:<!--.*?-->\s*)?<div id="room"/.test(html);
const parsed = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("room");

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const { status } = ctx.response;
  if (ctx.swap === "none") return;
  if (status === 413 || status === 429 || status >= 500) { // the table stays, and the bar says why nothing happens
    event.preventDefault();
    showConnection(parsed(ctx.text)?.dataset.say || "lost");
    return;
  }
  if (status >= 400 && isRoom(ctx.text)) { // an error is a whole room, whatever was requested
    ctx.target = room();
    ctx.swap = "outerHTML";
  } else if (ctx.target?.id === "room") ctx.target = room(); // it may have been replaced meanwhile
});

let landed = null; // to be called when the finished hand or the room has been replaced
let unfolded = []; // opened details in polled parts, which stay open when these are replaced

document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  const main = tasks.find(({ type, target }) => type === "main" && target?.matches?.("#room, #finish, [data-poll]"));
  if (!main || main.swapSpec.style === "none") return;
  if (main.target.matches("[data-poll]")) unfolded = all("details[open][id]", main.target).map((fold) => fold.id);
  else landed = begin(main.target);
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  for (const fold of unfolded.splice(0).map((id) => document.getElementById(id))) if (fold) fold.open = true;
  const call = landed;
  landed = null;
  call?.(document.getElementById("finish") || room(), isAction(ctx));
});

document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!isAction(ctx)) return;
  if (ctx.status !== "swapped") layBack();
  isUnderWay = false;
  pressed?.removeAttribute("data-pressed");
  room()?.removeAttribute("data-late");
  setTimeout(() => { // htmx sends no other action before this event is over
    isAutomatic = false;
    goOn();
  });
});

/* ---- reading the room ---- */

/* Request the room again. An action takes the place of a read that is under way, and none begins while one is. */
export function read() {
  const from = own.address();
  if (from) htmx.ajax("GET", from, { source: "#connection", target: "#room", swap: "outerHTML" });
}

onReturn(() => own.comeBack());
