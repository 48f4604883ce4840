/* The parts of a page that htmx fetches: the steps of a replay, what asks every second, the odds desk. A finished hand is
   shown like a room; what was asked on a bad line is asked for again. */
import { all, room } from "./common.js?v=10cbdc9a16";
import { PART, RETRY_AFTER, isUnanswered, request, showConnection } from "./line.js?v=fbdf49fff7";
import { begin } from "./room.js?v=bc82439363";

const isRoom = (html) => /^\s*(?:<!--.*?-->\s*)?<div id="room"/.test(html);

let landed = null; // what is to be called when the finished hand, or the room, is there
let unfolded = []; // what asks every second is replaced as often: what was unfolded in it stays so

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // an error comes as a whole room, whatever it was asked for
  if (isRoom(detail.serverResponse)) detail.target = room();
  const { target } = detail;
  unfolded = target.matches("[data-poll]") ? all("details[open][id]", target).map((fold) => fold.id) : [];
  if (detail.shouldSwap && target.matches("#room, #finish")) landed = begin(target);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const fold of unfolded.map((id) => document.getElementById(id))) if (fold) fold.open = true;
});
document.addEventListener("htmx:afterSettle", () => {
  const call = landed;
  landed = null;
  call?.(document.getElementById("finish") || room());
});

let isAsking = false;

async function ask({ requestConfig, target }) {
  if (isAsking || requestConfig.verb !== "get" || requestConfig.elt?.matches("[data-poll]")) return; // who asks every second asks again anyway
  isAsking = true;
  showConnection("connecting");
  const got = await request(requestConfig.path, { headers: PART }, RETRY_AFTER);
  isAsking = false;
  showConnection(got ? null : "lost");
  const place = got && isRoom(got.html) ? room() : document.getElementById(target.id);
  if (!got?.html || !place) return;
  if (place.matches("#room, #finish")) landed = begin(place);
  htmx.swap(place, got.html, { swapStyle: "outerHTML" });
}

document.addEventListener("htmx:sendError", (event) => ask(event.detail));
document.addEventListener("htmx:timeout", (event) => ask(event.detail));
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { xhr } = event.detail;
  if (!isUnanswered(xhr.status) || xhr.responseText.includes('id="room"')) return;
  event.preventDefault(); // a proxy's own page, not ours
  ask(event.detail);
});
