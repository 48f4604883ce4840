/* Parts of a page that htmx loads: steps of a replay, polled parts, the odds desk. A finished hand is animated like a
   room, and requests that fail because of the network are repeated. */
import { all, room } from "./common.js";
import { PART, RETRY_AFTER, isUnanswered, request, showConnection } from "./connection.js";
import { begin } from "./room.js";

const isRoom = (html) => /^\s*(?:<!--.*?-->\s*)?<div id="room"/.test(html);

let landed = null; // to be called when the finished hand or the room has been replaced
let unfolded = []; // opened details in polled parts, which stay open when these are replaced

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // an error is a whole room, whatever was requested
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
  if (isAsking || requestConfig.verb !== "get" || requestConfig.elt?.matches("[data-poll]")) return; // polled parts are requested again anyway
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
  event.preventDefault(); // an error page of the proxy
  ask(event.detail);
});
