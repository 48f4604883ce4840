/* What shared tables do differently from solo games (see room.js): states are pushed by the event stream or requested,
   only parts that have changed are swapped, and moves that arrive together are shown one by one. Without a stream the
   page polls. */
import { createClock } from "./clock.js";
import { announce, later, one, room, stateOf } from "./common.js";
import { kept, restore } from "./focus.js";
import { ask, showConnection } from "./line.js";
import { isHasty, play, remember } from "./motion.js";
import { createParts } from "./parts.js";
import { createReactions } from "./reactions.js";
import { announceRoom, isAction, isSending, land, lastSaid, plug, read } from "./room.js";
import { countPurse } from "./stakes.js";
import { createPacer } from "./steps.js";
import { createStream } from "./stream.js";
import { call, showInTitle, turn } from "./turn.js";

const READ = 4000; // milliseconds for which a refusal is shown
const BEAT = 10000; // milliseconds
const SAME = ["bet", "ready", "cut", "policy", "sit", "take", "leave"]; // commands that mean the same after another player's move
const TRIES = 6;
const LATEST = 1000; // milliseconds after which all parts of a state are swapped

const NEWEST = "tefuda.table"; // when the newest page of a table was made in this browser

const stateIn = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("state");

function keepNewest(madeAt) {
  try { localStorage.setItem(NEWEST, madeAt); } catch { /* the browser keeps nothing: each page plays for itself */ }
}

function newestHere() {
  try { return localStorage.getItem(NEWEST); } catch { return null; }
}

function start() {
  const LIVE = room().dataset.live;
  const OFFERED = new URLSearchParams(location.search).get("seat"); // the address is a private link that takes a seat over
  const state = () => stateOf(room()).dataset;
  const isSeated = () => "seated" in state();
  const version = () => Number(state().version);
  const offered = () => (OFFERED && !isSeated() ? OFFERED : "");

  keepNewest(new URL(document.getElementById("stream").dataset.events, location).searchParams.get("opened"));
  const reactions = createReactions(lastSaid);
  const parts = createParts(reactions.carry);
  const pacer = createPacer(parts.show);
  const clock = createClock(read);

  /* ---- requests: each waits until it is its turn to be shown ---- */

  /* Send a command or read the table. A command that was too late is sent again for the new version of the table, if it
     still means the same. */
  async function askInTurn(url, options, say) {
    const { phase } = state();
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(url, options, say);
      const html = await answer.clone().text();
      const fresh = stateIn(html);
      const isLate = answer.status === 409 && tries < TRIES && SAME.includes(options.body?.get("verb"));
      if (!isLate || fresh?.dataset.phase !== phase) {
        if (fresh) await pacer.lead(fresh);
        return answer;
      }
      url = url.replace(/\d+$/, fresh.dataset.version);
      await later(40 + 120 * Math.random());
    }
  }

  /* A form in a part that has not changed has the address of an earlier version. */
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (isAction(ctx)) ctx.request.action = ctx.request.action.replace(/\d+$/, state().version);
  });

  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    const { headers, status } = ctx.response;
    reactions.showAll(headers.get("X-Reactions"));
    if (!headers.has("X-Now")) return;
    if (status < 400) signed = performance.now();
    clock.set(Number(headers.get("X-Now")));
    watching = headers.get("X-Watching") ?? watching;
  });

  /* ---- a new state ---- */

  let focused = null; // the element that had the focus, which is lost during animations
  let hasActed = false; // the state that is being shown is the answer to the player's own command
  let reading = 0; // time until which a refusal is shown
  let isAnew = false; // request the whole table, even if its version is unchanged
  let isShowing = false;
  let turnBefore = turn();

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    const fresh = tasks.map(({ fragment }) => fragment.firstElementChild).find((part) => part?.id === "state");
    if (!fresh) {
      // the table was removed; further requests would count as guesses
      if (tasks.some(({ type, target, swapSpec }) => type === "main" && target === room() && swapSpec.style !== "none")) end();
      return;
    }
    pacer.begin();
    const isPushed = ctx.sourceElement.id === "stream";
    const at = Number(fresh.dataset.version);
    const isOther = isPushed && "seated" in fresh.dataset !== isSeated(); // the page requests its own view
    if (at < version() || (isPushed && at === version()) || isOther) {
      event.preventDefault();
      pacer.end();
      if (isOther) read();
      return;
    }
    if (isAction(ctx)) {
      reading = 0; // an earlier refusal is obsolete
      hasActed = true;
    }
    isAnew = false;
    if ((fresh.dataset.turn ? fresh.dataset.phase : "") !== turnBefore) reading = 0;
    if (fresh.dataset.now) clock.set(Number(fresh.dataset.now));
    const part = document.activeElement?.closest("[data-part]");
    if (part) focused = { name: part.dataset.part, was: kept(part) };
    isShowing = true;
    payStake(Number(one("[data-sum]", room())?.dataset.sum), performance.now() + LATEST);
    remember(fresh.dataset.moment === state().moment ? null : room());
    parts.thin(tasks, (name) => name === "verdict" && performance.now() < reading);
  });

  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (!isShowing) return;
    isShowing = false;
    parts.keep();
    if (isAction(ctx) && ctx.response.status >= 400) keepRefusal();
    if (wasSeated !== isSeated()) stream.open();
    wasSeated = isSeated();
    document.dispatchEvent(new Event("swapped"));
    announceRoom(room(), hasActed);
    play(room(), arrive);
    if (pacer.isHurried()) pacer.finish();
  });

  /* Count the purse down from the chips that were in it, if there are fewer with the state that is being swapped. */
  function payStake(from, until) {
    if (!from || isHasty()) return;
    requestAnimationFrame(() => {
      const sum = one("[data-sum]", room());
      const to = Number(sum?.dataset.sum);
      if (to === from && performance.now() < until) payStake(from, until);
      else if (to < from && !Number(sum.dataset.gain)) countPurse(sum, from, to, () => delete sum.dataset.full);
    });
  }

  /* Show a refusal for a while, before what happens meanwhile, unless the player's turn comes. */
  function keepRefusal() {
    reading = performance.now() + READ;
    setTimeout(() => { isAnew = true; read(); }, READ);
  }

  /* Called when the last card has landed. */
  function arrive() {
    pacer.end();
    const part = focused && one(`[data-part="${focused.name}"]`, room());
    if (part && document.activeElement === document.body) restore(part, focused.was);
    land(part ?? room(), part ? focused.was : {}, hasActed && !part);
    focused = null;
    hasActed = false;
  }

  document.addEventListener("wake", () => {
    if (isGone) return;
    clock.start();
    showWatching();
    announceRoom(room());
    if (turnBefore === turn()) showInTitle();
    else call();
    turnBefore = turn();
  });

  /* ---- reading ---- */

  let wasSeated = isSeated();
  let watching = one("[data-watching]").textContent;
  let isGone = false;
  let signed = 0; // time of the last request, which counts as a heartbeat

  function showWatching() {
    const place = one("[data-watching]");
    if (!place) return;
    place.textContent = watching;
    place.parentElement.toggleAttribute("data-nobody", watching === "0");
  }

  function end() {
    isGone = true;
    pacer.end();
    stream.end();
  }

  function address() {
    if (isGone) return null;
    const seat = offered() && `&seat=${encodeURIComponent(offered())}`;
    return `${LIVE}?since=${isAnew ? 0 : version()}${stream.isOpen() ? "" : "&still=1"}${seat}`;
  }

  /* The player has come to the table by a newer page, made at this time, which plays: this one stands still until it is
     loaded again. Tabs of one browser all play. */
  function standBack(madeAt) {
    if (madeAt === newestHere()) return;
    end();
    room().inert = true;
    const notice = document.getElementById("newer");
    notice.hidden = false;
    announce(one("span", notice).textContent);
  }

  /* ---- the stream: messages with parts, which wait for their turn, and events ---- */

  const stream = createStream(() => (offered() ? {} : { since: version() }), isSeated, read);

  document.addEventListener("htmx:sse:before:message", ({ detail }) => {
    showConnection(null);
    const fresh = !detail.message.event && stateIn(detail.message.data);
    if (fresh) detail.waitUntil(pacer.lead(fresh));
  });
  const hear = {
    moved: (at) => { if (Number(at) > version() && !isSending()) read(); },
    watching: (count) => { watching = count; showWatching(); },
    reaction: (line) => reactions.show(line),
    newer: standBack,
    // a recent request has served as a heartbeat
    beat: (now) => { clock.set(Number(now)); if (isSeated() && performance.now() - signed > BEAT / 2) read(); },
  };
  for (const [kind, take] of Object.entries(hear)) document.addEventListener(kind, ({ detail }) => take(detail.data));

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-change]")) event.target.form.requestSubmit();
  });

  document.addEventListener("visibilitychange", showInTitle);

  /* Send heartbeats more often than the stream's beat if the rules of the table require it. */
  function giveSigns() {
    const every = Number(state().beat ?? BEAT);
    if (every < BEAT) setTimeout(() => { if (isSeated()) read(); giveSigns(); }, every);
  }

  plug({ address, ask: askInTurn, finish: pacer.finish, comeBack: () => stream.comeBack() });
  stream.start();
  giveSigns();
}

if (room()?.dataset.live) start();
