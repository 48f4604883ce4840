/* The script of every page: cuts, held cards, keys, folds, sharing, focus after a swap, and actions sent again on a bad
   line. Everything also works without it. A module, loaded after htmx. No inline handlers, no eval. */
import { afterFrame, all, announce, fillCuts, later, one, room } from "./common.js?v=9ccbe3b64d";
import { RETRY_AFTER, isUnanswered, onReturn, request, showConnection } from "./line.js?v=75c31de60b";
import { clearAway, finish, play, remember } from "./motion.js?v=001646a1f1";
import { lift } from "./menu.js?v=62ad2c1e0f";
import { showBet } from "./bets.js?v=200c8d509b";

const isShown = (element) => element.getClientRects().length > 0;

/* ---- the cut, and a deal that follows by itself ---- */

const dealt = new Set();

function cut() {
  fillCuts();
  const form = one("form[data-autodeal]");
  // once for each hand: a deal that was refused must not be sent for ever
  if (form && !dealt.has(form.action)) {
    dealt.add(form.action);
    form.requestSubmit();
  }
}

/* ---- holding: the marks are kept by the site ---- */

let marks = Promise.resolve();

function keepMark(box) {
  const form = box.form;
  const body = new URLSearchParams({ verb: "mark", arg: box.value, held: box.checked ? "1" : "0" });
  // one after another, so that the last tap is the last word
  marks = marks
    .then(() => fetch(form.action, { method: "POST", body, keepalive: true, headers: { "HX-Request": "true" } }))
    .then((answer) => { if (answer.status !== 204 && form.isConnected && !form.closest("[data-held]") && !form.matches(".htmx-request") && !busy) readBoard(); })
    .catch(() => {}); // a mark that is lost costs nothing: the draw carries its own
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-mark]")) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8); // before that a browser complains
  keepMark(event.target);
  // marked by its key it has not got the focus: nobody would hear what became of it
  const words = event.target.closest("[data-held]");
  if (words && event.target !== document.activeElement) {
    announce(`${event.target.getAttribute("aria-label")}: ${event.target.checked ? words.dataset.held : words.dataset.loose}`);
  }
});

/* ---- cards on their way lie there at once for who taps; the tap presses nothing that comes by it ---- */

let cutShort = false;
let isUnseen = false; // the card under the tap was marked by the site, and did not show it yet
document.addEventListener("pointerdown", (event) => {
  isUnseen = event.target.closest("[data-look]") !== null;
  cutShort = finish();
  if (event.target.closest("#room")) document.getAnimations().forEach((each) => { if (each.effect?.getComputedTiming().endTime !== Infinity) each.finish(); });
});

/* ---- folds: what is opened over the side closes by Escape, or by a tap elsewhere ---- */

function closeFolds(but) {
  const open = all("[data-fold][open]").filter((fold) => fold !== but);
  for (const fold of open) {
    const inside = fold.contains(document.activeElement);
    fold.open = false;
    if (inside) one("summary", fold).focus();
  }
  return open.length > 0;
}
document.addEventListener("click", (event) => closeFolds(event.target.closest("[data-fold]")));

/* ---- keys: a key is its button ---- */

let byKey = false;

// A key that is held down presses once, and what comes under it by that is not pressed by its end.
let pressedOn = null;
const presses = (event) => (event.key === "Enter" || event.key === " ") && event.target.closest("#room");
document.addEventListener("keydown", (event) => {
  if (event.repeat) {
    if (presses(event) && !event.target.matches("textarea")) event.preventDefault();
  } else pressedOn = event.target;
});
document.addEventListener("keyup", (event) => {
  if (event.key === " " && presses(event) && event.target !== pressedOn) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  byKey = true;
  const unseen = all("[data-look]");
  const brought = !event.repeat && finish();
  if (brought && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  if (one("dialog[open]") || event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // in the field of a bet a letter is no text: it is the key that it is everywhere
  const number = target.matches("[data-stake]");
  const letter = number && !event.isComposing && /^[^0-9]$/.test(key);
  const typing = !letter && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  if (key === "Escape" && (closeFolds() || closeHelp())) return;
  if (key === "Escape" && number) target.blur();
  if (letter) event.preventDefault();
  if (typing || (target.matches("[type=radio]") && key.startsWith("Arrow"))) return;
  if ((key === "Enter" || key === "Space") && target.closest("a, button, input, summary, label")) return;
  const match = all("[aria-keyshortcuts]").find((element) =>
    isShown(element) && !element.disabled && element.getAttribute("aria-keyshortcuts").split(" ").includes(key));
  if (!match) return;
  event.preventDefault();
  if (brought && (match.closest("[data-after]") || unseen.some((card) => card.contains(match)))) return; // nobody has seen it yet
  if (!match.matches("[data-stake]")) return void match.click();
  match.focus();
  match.select();
});
document.addEventListener("pointerdown", () => { byKey = false; });

// The second tap of a double tap must not press what the first one has put under the finger. The steps of a replay
// stay where they are, and may be tapped as fast as one likes.
let swappedAt = 0;
let tap = { x: 0, y: 0, at: -1000 };
document.addEventListener("click", (event) => {
  if (!event.detail) return; // pressed by a key or a script
  const last = tap;
  tap = { x: event.clientX, y: event.clientY, at: event.timeStamp };
  const again = tap.at - last.at < 400 && Math.hypot(tap.x - last.x, tap.y - last.y) < 24;
  const brought = cutShort && (isUnseen || event.target.closest("[data-after]"));
  cutShort = false;
  if (brought || (again && swappedAt > last.at && event.target.closest("#room button, #room a:not([id^='step-'])"))) {
    event.preventDefault();
    event.stopPropagation();
  }
}, true);

document.addEventListener("input", () => { tap.at = -1000; }); // whoever has typed in between means it
document.addEventListener("swapped", () => { swappedAt = performance.now(); showBet(); }); // by a table that people share

/* ---- rules and keys, under the table ---- */

let helpOpen = false;

function showHelp() {
  const help = document.getElementById("help");
  if (!help) return false;
  help.hidden = !helpOpen;
  lift(helpOpen && getComputedStyle(help).position === "fixed" ? help : null);
  one("[data-help]")?.setAttribute("aria-expanded", String(helpOpen));
  return true;
}

function closeHelp() {
  if (!helpOpen) return false;
  helpOpen = false;
  showHelp();
  one("[data-help]")?.focus();
  return true;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help-close]")) return void closeHelp();
  if (!event.target.closest("[data-help]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (helpOpen) {
    event.preventDefault();
    closeHelp();
    return;
  }
  helpOpen = true;
  if (!showHelp()) { helpOpen = false; return; } // no panel on this page: the link leads to the rules
  event.preventDefault();
  const help = document.getElementById("help");
  help.scrollIntoView({ block: "nearest" });
  help.focus({ preventScroll: true });
});

/* ---- sharing: the system's own way, else a copy, else simply the link ---- */

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("not copied");
}

async function share(link) {
  const url = new URL(link.dataset.share, location.href).href;
  try {
    if (navigator.share) return await navigator.share({ title: link.dataset.title, url });
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  try {
    await copy(url);
  } catch {
    location.assign(url);
    return;
  }
  const text = one("[data-share-text]", link);
  const said = text.textContent;
  if (said === link.dataset.copied) return;
  text.textContent = link.dataset.copied;
  announce(link.dataset.copied);
  await later(2000);
  text.textContent = said;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  share(link);
});

/* ---- after a swap: say it, and put the focus where the next decision is ---- */

let focusWasInside = false;
let focusId = "";

document.addEventListener("htmx:beforeSwap", (event) => {
  const focused = document.activeElement;
  focusWasInside = Boolean(focused && focused.closest("#room"));
  focusId = focused ? focused.id : "";
  // an error comes as a whole room, whatever it was asked for
  const detail = event.detail;
  if (/^\s*(?:<!--.*?-->\s*)?<div id="room"/.test(detail.serverResponse)) detail.target = room();
  if (!detail.shouldSwap || !detail.target.matches("#room, #finish")) return;
  remember(detail.target);
  // else what has its id is focused at once: the page is laid out for it, and then it is held back
  if (room()?.contains(focused)) focused.blur();
});

// what asks every second is replaced as often: what was unfolded in it stays so
let unfolded = [];
document.addEventListener("htmx:beforeSwap", (event) => {
  const target = event.detail.target;
  unfolded = target.matches("[data-poll]") ? all("details[open][id]", target).map((fold) => fold.id) : [];
});
document.addEventListener("htmx:afterSwap", () => {
  for (const fold of unfolded.map((id) => document.getElementById(id))) if (fold) fold.open = true;
});

document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.elt.matches("#sit")) clearAway(room()); });
document.addEventListener("htmx:afterSwap", showBet); // before anybody sees it
document.addEventListener("htmx:afterSettle", () => {
  swappedAt = performance.now();
  const said = (document.getElementById("finish") || room())?.dataset.say;
  if (said) announce(said.trim());
  play(document.getElementById("finish") || room(), land);
});

/* The last card lies there: what goes on is in the page now. */
function land() {
  swappedAt = performance.now();
  wake();
  if (byKey || focusWasInside) focusLater();
}

/* With the first frame that has the words; who has gone elsewhere by then stays there. */
function focusLater() {
  const was = document.activeElement;
  afterFrame(() => { if (document.activeElement === was || !document.activeElement?.isConnected) focusNext(); });
}

function focusNext() {
  const asked = !focusId.startsWith("step-") && room() && one("[data-focus]", room());
  (asked || document.getElementById(focusId))?.focus({ preventScroll: true });
}

/* ---- a bad line: an unanswered action is sent again, the same; it can only be done once ---- */

let busy = false;

async function sendAgain(config) {
  if (busy || config.elt?.matches("[data-poll]")) return; // who asks every second asks again anyway
  busy = true;
  showConnection("connecting");
  const body = config.verb === "get" ? undefined : new URLSearchParams(config.formData || config.parameters);
  const options = { method: config.verb.toUpperCase(), body, headers: { "HX-Request": "true" } };
  const answer = await request(config.path, options, RETRY_AFTER);
  const text = answer && await answer.text();
  busy = false;
  showConnection(answer ? null : "lost");
  if (!answer) return announce(document.getElementById("connection").dataset.lost);
  if (answer.status === 204) return;
  focusWasInside = true;
  remember(room());
  htmx.swap("#room", text, { swapStyle: "outerHTML" });
}

document.addEventListener("htmx:sendError", (event) => sendAgain(event.detail.requestConfig));
document.addEventListener("htmx:timeout", (event) => sendAgain(event.detail.requestConfig));
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!isUnanswered(xhr.status) || xhr.responseText.includes('id="room"')) return;
  event.preventDefault(); // a proxy's own page, not ours
  sendAgain(requestConfig);
});
// While an action is on its way again nothing else is sent, and a held card stays as it was sent.
document.addEventListener("submit", (event) => {
  if (busy) { event.preventDefault(); event.stopImmediatePropagation(); }
}, true);

function readBoard() {
  const from = room()?.dataset.board;
  if (!from || busy) return;
  showConnection(null);
  htmx.ajax("GET", from, { target: "#room", swap: "outerHTML", source: document.body });
}

onReturn(readBoard);

/* ---- begin ---- */

function wake() {
  const news = one("[data-announce]"); // what a page that was asked for by a form has to say
  if (news) announce(news.textContent);
  document.dispatchEvent(new Event("wake"));
  showBet();
  showHelp();
  cut();
}
showBet();
document.addEventListener("DOMContentLoaded", wake); // htmx has read the page by then: a deal is a swap, not a visit
