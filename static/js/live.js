/* The page of a shared table: its views are pushed by the event stream, or fetched, and only the parts that have changed
   are swapped. Without a stream the page asks from time to time. */
import { createClock } from "./clock.js?v=b5856604e6";
import { announce, fillCuts, later, one, room } from "./common.js?v=9ccbe3b64d";
import { RETRY_AFTER, request, showConnection } from "./line.js?v=75c31de60b";
import { createLatest, createParts, kept, parsed, restore, versionOf } from "./parts.js?v=19334449f8";
import { createReactions } from "./reactions.js?v=5966867cbc";
import { createPacer } from "./steps.js?v=1092e5feb9";
import { createStream } from "./stream.js?v=8a1f329f24";
import { call, showInTitle, turn } from "./turn.js?v=2ecd375a96";

function live() {
  const LIVE = room().dataset.live;
  const OFFERED = new URLSearchParams(location.search).get("seat"); // this address takes a seat over
  const isSeated = () => "seated" in room().dataset;
  const version = () => versionOf(room());

  /* ---- swapping ---- */

  /* A refusal is there to be read, and not for ever: what happens meanwhile is said after it, unless one's turn comes. */
  const READ = 4000;
  let reading = 0; // until then
  let anew = false; // all of the table is asked for, though it be the version that is here

  function read() {
    reading = performance.now() + READ;
    setTimeout(() => { anew = true; look(); }, READ);
  }

  const reactions = createReactions(() => saidAt, ({ headers }) => reactions.showAll(headers.get("X-Reactions")));
  const parts = createParts(reactions.carry);
  const latest = createLatest();
  const pacer = createPacer(parts.show, settle, land);
  let focused = null; // what had the focus, which it loses while it waits for cards
  let turnBefore = "";

  function swap(fresh) {
    if (!fresh) return;
    const part = document.activeElement?.closest("[data-part]");
    if (part) focused = { name: part.dataset.part, was: kept(part) };
    if (fresh.dataset.live && versionOf(fresh) >= version()) sayNews(fresh); // whatever is on its way
    latest.take(fresh);
    pacer.take(fresh);
  }

  /* The last card lies there. */
  function land() {
    if (!room().dataset.live) return;
    const part = focused && one(`[data-part="${focused.name}"]`, room());
    if (part && document.activeElement === document.body) restore(part, focused.was);
    focused = null;
    wake(turnBefore !== turn());
    turnBefore = turn();
  }

  function settle(fresh) {
    if (!fresh.dataset.live || !room().dataset.live) { // an error is a whole room, and so is what comes after it
      room().replaceWith(fresh);
      parts.remember(fresh);
      if (!fresh.dataset.live) setTimeout(look, 5000);
      return;
    }
    if (versionOf(fresh) < version()) return; // an answer that was overtaken
    const wasSeated = isSeated();
    if ((fresh.dataset.turn ? fresh.dataset.phase : "") !== turnBefore) reading = 0;
    parts.showAll(fresh, (name) => name === "verdict" && performance.now() < reading);
    if (wasSeated !== isSeated()) stream.reopen(); // who sits down watches no longer
    document.dispatchEvent(new Event("swapped"));
  }

  /* ---- what a swap brings with it ---- */

  let lastSaid = "";
  let saidAt = 0;

  function sayNews(at = room()) {
    const text = at.dataset.say.trim();
    if (text === lastSaid) return;
    lastSaid = text;
    saidAt = performance.now();
    announce(text);
  }

  const cutRounds = new Set();

  function wake(turned) {
    fillCuts();
    const cutting = one("[data-autocut]");
    if (cutting && !cutRounds.has(cutting.dataset.autocut)) {
      cutRounds.add(cutting.dataset.autocut);
      cutting.form.requestSubmit(cutting);
    }
    clock.start();
    showWatching();
    sayNews();
    if (turned) call();
    else showInTitle();
  }

  /* ---- what no fragment says: the server's time, by which the clock runs, and how many look on ---- */

  const clock = createClock(() => look());
  let watching = one("[data-watching]").textContent;

  function hear({ headers }) {
    if (!headers.has("X-Now")) return; // an error
    clock.set(Number(headers.get("X-Now")));
    watching = headers.get("X-Watching");
  }

  function showWatching() {
    const place = one("[data-watching]");
    if (place) place.textContent = watching;
  }

  /* ---- asking ---- */

  let busy = false;
  let sent = 0;
  let looking = false;
  let again = false;
  let gone = false;
  let heardOf = 0; // a version, while a command was on its way: its answer may be as new

  const BEAT = 10000; // milliseconds
  let signed = 0;
  const offered = () => (OFFERED && !isSeated() ? OFFERED : "");

  async function look() {
    // while a command is on its way nothing is asked: an answer from before it may be a stranger's, if it was the first
    if (gone) return;
    if (looking || busy) { again = true; return; }
    looking = true;
    again = false;
    const before = sent;
    try {
      const seat = offered() && `&seat=${encodeURIComponent(offered())}`;
      const answer = await fetch(`${LIVE}?since=${anew ? 0 : version()}${stream.isOpen() ? "" : "&still=1"}${seat}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (answer.status === 404) { gone = true; stream.end(); } // nobody sat here for long: asking on would look like guessing
      reactions.showAll(answer.headers.get("X-Reactions"));
      const html = [200, 404].includes(answer.status) ? await answer.text() : "";
      if (before !== sent) again = true;
      else if (html) { hear(answer); swap(parsed(html)); anew = false; }
      if (answer.ok) { signed = performance.now(); lost(false); }
    } catch {
      lost(true);
    }
    looking = false;
    if (again) look();
  }

  function lost(yes) {
    if (document.getElementById("connection").hidden === yes) showConnection(yes ? "connecting" : null);
  }

  /* ---- what the stream says ---- */

  /* What has changed since a version, as this viewer sees it. A page that has another one asks for all of it. */
  function take(said) {
    const { version: at, since, now, html } = JSON.parse(said);
    if (at <= latest.version()) return;
    if (busy) { heardOf = Math.max(heardOf, at); return; } // the answer to the command is this viewer's own
    const fresh = latest.merge(since, parsed(html));
    if (!fresh || "seated" in fresh.dataset !== isSeated()) { look(); return; }
    clock.set(now);
    swap(fresh);
  }

  const stream = createStream(() => (offered() ? {} : { since: latest.version() }), {
    parts: take,
    moved: (said) => {
      if (busy) heardOf = Math.max(heardOf, Number(said));
      else if (Number(said) > latest.version()) look();
    },
    watching: (said) => { watching = said; showWatching(); },
    reaction: (said) => reactions.show(said),
    // whoever has just asked or acted has given the sign that the beat is for
    beat: () => { if (isSeated() && performance.now() - signed > BEAT / 2) look(); },
  }, () => look(), () => lost(false));

  /* ---- doing ---- */

  const AGAIN = ["bet", "ready", "cut", "policy", "sit", "take", "leave"]; // commands that mean the same after somebody else's move
  async function send(url, body) {
    const options = { method: "POST", body, headers: { "HX-Request": "true" } };
    const answer = await request(url, options, [0, ...RETRY_AFTER], () => lost(true));
    if (answer) lost(false);
    return answer;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-command]")) return;
    event.preventDefault();
    if (busy) return;
    pacer.finish();
    if (!form.isConnected) return; // pressed by a key while moves were shown: there is another dock now
    busy = true;
    sent += 1;
    form.classList.add("htmx-request");
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const round = room().dataset.phase;
    let action = form.getAttribute("action");
    for (let tries = 0; tries < 6; tries += 1) {
      const answer = await send(action, body);
      if (!answer) break;
      const fresh = parsed(await answer.text());
      signed = performance.now();
      if (tries === 5 || answer.status !== 409 || !AGAIN.includes(body.get("verb")) || fresh?.dataset.phase !== round) {
        reading = 0; // what was refused before has been answered by this
        hear(answer);
        swap(fresh);
        if (!answer.ok) read();
        break;
      }
      action = action.replace(/\d+$/, fresh.dataset.version);
      await later(40 + 120 * Math.random());
    }
    form.classList.remove("htmx-request");
    busy = false;
    if (one("[data-autocut]")) wake(false);
    if ((again || heardOf > latest.version()) && !looking) look();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-change]")) event.target.form.requestSubmit();
  });

  document.addEventListener("visibilitychange", showInTitle);

  /* A table that soon takes one for absent wants a sign sooner than the stream's beat. */
  function giveSigns() {
    const every = Number(room().dataset.beat ?? BEAT);
    if (every < BEAT) setTimeout(() => { if (isSeated()) look(); giveSigns(); }, every);
  }

  document.addEventListener("DOMContentLoaded", () => { turnBefore = turn(); wake(false); stream.start(); giveSigns(); });
}

if (room()?.dataset.live) live();
