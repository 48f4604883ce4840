/* What a table that people share gives to the room: its views are pushed by the event stream, or read, only the parts that
   have changed are swapped, and moves that came all at once are shown one after another. Without a stream the page asks
   from time to time. */
import { createClock } from "./clock.js?v=14febc57ff";
import { later, one, room } from "./common.js?v=10cbdc9a16";
import { kept, restore } from "./focus.js?v=8e8389795e";
import { showConnection } from "./line.js?v=fbdf49fff7";
import { createLatest, createParts, versionOf } from "./parts.js?v=735b77156a";
import { createReactions } from "./reactions.js?v=300a943b0e";
import { isSending, land, lastSaid, parsed, plug, read, say, send } from "./room.js?v=bc82439363";
import { createPacer } from "./steps.js?v=2c735910e4";
import { createStream } from "./stream.js?v=699ac5a610";
import { call, showInTitle, turn } from "./turn.js?v=8a1b94644b";

const READ = 4000; // milliseconds for which a refusal is there to be read
const ERROR = 5000; // milliseconds after which an error gives way to the table
const BEAT = 10000; // milliseconds
const SAME = ["bet", "ready", "cut", "policy", "sit", "take", "leave"]; // commands that mean the same after somebody else's move
const TRIES = 6;

function start() {
  const LIVE = room().dataset.live;
  const OFFERED = new URLSearchParams(location.search).get("seat"); // this address takes a seat over
  const isSeated = () => "seated" in room().dataset;
  const version = () => versionOf(room());
  const offered = () => (OFFERED && !isSeated() ? OFFERED : "");

  /* ---- a fresh room ---- */

  const reactions = createReactions(lastSaid, ({ headers }) => reactions.showAll(headers.get("X-Reactions")));
  const parts = createParts(reactions.carry);
  const latest = createLatest();
  const pacer = createPacer(parts.show, settle, arrive);
  let focused = null; // what had the focus, which it loses while it waits for cards
  let hasActed = false; // what is on its way is the answer to a command of one's own
  let reading = 0; // until then
  let isAnew = false; // all of the table is asked for, though it be the version that is here
  let turnBefore = turn();

  /* A refusal is there to be read, and not for ever: what happens meanwhile is said after it, unless one's turn comes. */
  function keepRefusal() {
    reading = performance.now() + READ;
    setTimeout(() => { isAnew = true; read(); }, READ);
  }

  /* One that was asked for: by a command, or by reading. */
  function take(fresh, isAnswer = false, isRefused = false) {
    if (isAnswer) {
      reading = 0; // what was refused before has been answered by this
      hasActed = true;
      signed = performance.now();
    } else {
      isAnew = false;
      if (!fresh.dataset.live) { isGone = true; stream.end(); } // nobody sat here for long: asking on would look like guessing
    }
    put(fresh, isAnswer);
    if (isRefused) keepRefusal();
  }

  function put(fresh, isAnswer = false) {
    const part = document.activeElement?.closest("[data-part]");
    if (part) focused = { name: part.dataset.part, was: kept(part) };
    if (!fresh.dataset.live || versionOf(fresh) >= version()) say(fresh, isAnswer); // whatever is on its way
    latest.take(fresh);
    pacer.take(fresh);
  }

  function settle(fresh) {
    if (!fresh.dataset.live || !room().dataset.live) { // an error is a whole room, and so is what comes after it
      room().replaceWith(fresh);
      parts.remember(fresh);
      if (!fresh.dataset.live) setTimeout(read, ERROR);
      return;
    }
    if (versionOf(fresh) < version()) return; // an answer that was overtaken
    const wasSeated = isSeated();
    if ((fresh.dataset.turn ? fresh.dataset.phase : "") !== turnBefore) reading = 0;
    parts.showAll(fresh, (name) => name === "verdict" && performance.now() < reading);
    if (wasSeated !== isSeated()) stream.reopen(); // who sits down watches no longer
    document.dispatchEvent(new Event("swapped"));
  }

  /* The last card lies there. */
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

  /* ---- what no fragment says: the server's time, by which the clock runs, and how many look on ---- */

  const clock = createClock(read);
  let watching = one("[data-watching]").textContent;
  let isGone = false;
  let signed = 0; // when the page last gave a sign of itself

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

  /* ---- what the stream says ---- */

  let heardOf = 0; // a version, while a command was on its way: its answer may be as new

  /* What has changed since a version, as this viewer sees it. A page that has another one asks for all of it. */
  function takePushed(pushed) {
    const { version: at, since, now, html } = JSON.parse(pushed);
    if (at <= latest.version()) return;
    if (isSending()) { heardOf = Math.max(heardOf, at); return; } // the answer to the command is this viewer's own
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
    // whoever has just asked or acted has given the sign that the beat is for
    beat: () => { if (isSeated() && performance.now() - signed > BEAT / 2) read(); },
  }, read, () => showConnection(null));

  /* ---- commands ---- */

  /* One that came too late is made again for the table as it is now, where it still means the same there. */
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

  /* A table that soon takes one for absent wants a sign sooner than the stream's beat. */
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
