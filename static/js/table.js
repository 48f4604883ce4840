/* What shared tables do differently from solo games (see room.js): views are pushed by the event stream or requested,
   only parts that have changed are replaced, and moves that arrive together are shown one by one. Without a stream the
   page polls. */
import { createClock } from "./clock.js";
import { later, one, room } from "./common.js";
import { kept, restore } from "./focus.js";
import { showConnection } from "./connection.js";
import { createLatest, createParts, versionOf } from "./parts.js";
import { createReactions } from "./reactions.js";
import { isSending, land, lastSaid, parsed, plug, read, say, send } from "./room.js";
import { createPacer } from "./steps.js";
import { createStream } from "./stream.js";
import { call, showInTitle, turn } from "./turn.js";

const READ = 4000; // milliseconds for which a refusal is shown
const ERROR = 5000; // milliseconds after which an error is replaced by the table
const BEAT = 10000; // milliseconds
const SAME = ["bet", "ready", "cut", "policy", "sit", "take", "leave"]; // commands that mean the same after another player's move
const TRIES = 6;

function start() {
  const LIVE = room().dataset.live;
  const OFFERED = new URLSearchParams(location.search).get("seat"); // the address is a private link that takes a seat over
  const isSeated = () => "seated" in room().dataset;
  const version = () => versionOf(room());
  const offered = () => (OFFERED && !isSeated() ? OFFERED : "");

  /* ---- a new room ---- */

  const reactions = createReactions(lastSaid, ({ headers }) => reactions.showAll(headers.get("X-Reactions")));
  const parts = createParts(reactions.carry);
  const latest = createLatest();
  const pacer = createPacer(parts.show, settle, arrive);
  let focused = null; // the element that had the focus, which is lost during animations
  let hasActed = false; // the room that is being shown is the answer to the player's own command
  let reading = 0; // time until which a refusal is shown
  let isAnew = false; // request the whole table, even if its version is unchanged
  let turnBefore = turn();

  /* Show a refusal for a while, before what happens meanwhile, unless the player's turn comes. */
  function keepRefusal() {
    reading = performance.now() + READ;
    setTimeout(() => { isAnew = true; read(); }, READ);
  }

  /* Take a room that was requested, by a command or by reading. */
  function take(fresh, isAnswer = false, isRefused = false) {
    if (isAnswer) {
      reading = 0; // an earlier refusal is obsolete
      hasActed = true;
      signed = performance.now();
    } else {
      isAnew = false;
      if (!fresh.dataset.live) { isGone = true; stream.end(); } // the table was removed; further requests would count as guesses
    }
    put(fresh, isAnswer);
    if (isRefused) keepRefusal();
  }

  function put(fresh, isAnswer = false) {
    const part = document.activeElement?.closest("[data-part]");
    if (part) focused = { name: part.dataset.part, was: kept(part) };
    if (!fresh.dataset.live || versionOf(fresh) >= version()) say(fresh, isAnswer); // even during an animation
    latest.take(fresh);
    pacer.take(fresh);
  }

  function settle(fresh) {
    if (!fresh.dataset.live || !room().dataset.live) { // an error, and the room after it, are replaced as a whole
      room().replaceWith(fresh);
      parts.remember(fresh);
      if (!fresh.dataset.live) setTimeout(read, ERROR);
      return;
    }
    if (versionOf(fresh) < version()) return; // an answer that is older than the page
    const wasSeated = isSeated();
    if ((fresh.dataset.turn ? fresh.dataset.phase : "") !== turnBefore) reading = 0;
    parts.showAll(fresh, (name) => name === "verdict" && performance.now() < reading);
    if (wasSeated !== isSeated()) stream.reopen(); // a stream is bound to a seat
    document.dispatchEvent(new Event("swapped"));
  }

  /* Called when the last card has landed. */
  function arrive() {
    const part = focused && one(`[data-part="${focused.name}"]`, room());
    if (part && document.activeElement === document.body) restore(part, focused.was);
    land(part ?? room(), part ? focused.was : {}, hasActed && !part);
    focused = null;
    hasActed = false;
  }

  document.addEventListener("wake", () => {
    if (!room().dataset.live) return;
    clock.start();
    showWatching();
    say(room());
    if (turnBefore === turn()) showInTitle();
    else call();
    turnBefore = turn();
  });

  /* ---- headers of answers: the server's time and the number of watchers ---- */

  const clock = createClock(read);
  let watching = one("[data-watching]").textContent;
  let isGone = false;
  let signed = 0; // time of the last request, which counts as a heartbeat

  function hear({ headers, ok }) {
    reactions.showAll(headers.get("X-Reactions"));
    if (ok) signed = performance.now();
    if (!headers.has("X-Now")) return; // an error
    clock.set(Number(headers.get("X-Now")));
    watching = headers.get("X-Watching");
  }

  function showWatching() {
    const place = one("[data-watching]");
    if (place) place.textContent = watching;
  }

  /* ---- reading ---- */

  function address() {
    if (isGone) return null;
    const seat = offered() && `&seat=${encodeURIComponent(offered())}`;
    return `${LIVE}?since=${isAnew ? 0 : version()}${stream.isOpen() ? "" : "&still=1"}${seat}`;
  }

  /* ---- events of the stream ---- */

  let heardOf = 0; // a version that was published while a command was pending: its answer may be as new

  /* Take a pushed view with the differences since a version. If the page has another version, it requests its view. */
  function takePushed(pushed) {
    const { version: at, since, now, html } = JSON.parse(pushed);
    if (at <= latest.version()) return;
    if (isSending()) { heardOf = Math.max(heardOf, at); return; } // the answer to the command will contain the view
    const fresh = latest.merge(since, parsed(html));
    if (!fresh || "seated" in fresh.dataset !== isSeated()) { read(); return; }
    clock.set(now);
    put(fresh);
  }

  const stream = createStream(() => (offered() ? {} : { since: latest.version() }), {
    parts: takePushed,
    moved: (at) => {
      if (isSending()) heardOf = Math.max(heardOf, Number(at));
      else if (Number(at) > latest.version()) read();
    },
    watching: (count) => { watching = count; showWatching(); },
    reaction: (line) => reactions.show(line),
    // a recent request has served as a heartbeat
    beat: () => { if (isSeated() && performance.now() - signed > BEAT / 2) read(); },
  }, read, () => showConnection(null));

  /* ---- commands ---- */

  /* Send a command; one that was too late is repeated for the new version of the table, if it still means the same. */
  async function ask(url, body) {
    const { phase } = room().dataset;
    for (let tries = 1; ; tries += 1) {
      const got = await send(url, body);
      const fresh = got?.answer.status === 409 && tries < TRIES && SAME.includes(body.get("verb")) && parsed(got.html);
      if (!fresh || fresh.dataset.phase !== phase) return got;
      url = url.replace(/\d+$/, fresh.dataset.version);
      await later(40 + 120 * Math.random());
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-change]")) event.target.form.requestSubmit();
  });

  document.addEventListener("visibilitychange", showInTitle);

  /* Send heartbeats more often than the stream's beat if the rules of the table require it. */
  function giveSigns() {
    const every = Number(room().dataset.beat ?? BEAT);
    if (every < BEAT) setTimeout(() => { if (isSeated()) read(); giveSigns(); }, every);
  }

  plug({
    address, ask, hear, take,
    asksOn: true,
    finish: pacer.finish,
    isBehind: () => heardOf > latest.version(),
    comeBack: () => stream.comeBack(true),
  });
  stream.start();
  giveSigns();
}

if (room()?.dataset.live) start();
