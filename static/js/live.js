/* Tefuda, a table that people share: news come by a stream, the page asks for its own view, and only what has changed is
   swapped. What somebody types, has focused or scrolled to stays. Without a stream the page asks from time to time. */
import { RETRY_AFTER, all, announce, fillCuts, later, one, request, room, showConnection } from "./common.js?v=da0ae4eea1";
import { createReactions } from "./reactions.js?v=d4d6c963e9";
import { createPacer } from "./steps.js?v=5db90daf6d";

(() => {
  const POLL = 3000;
  const AWAY = 5000; // so long without a touch, one may be looking elsewhere
  if (!room()?.dataset.live) return;

  const LIVE = room().dataset.live;
  const OFFERED = new URLSearchParams(location.search).get("seat"); // this address takes a seat over
  const PAGE = Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");
  const TITLE = document.title;
  const version = () => Number(room().dataset.version);
  /* A part as the server said it, but for the addresses of its forms: the version in them changes with every move. */
  const plain = (part) => {
    const copy = part.cloneNode(true);
    for (const form of all("form[action]", copy)) form.removeAttribute("action");
    return copy.outerHTML;
  };
  let said = new Map();

  function remember(root) {
    said = new Map(all("[data-part]", root).map((part) => [part.dataset.part, plain(part)]));
  }

  /* ---- swapping: part by part ---- */

  function kept(part) {
    const active = part.contains(document.activeElement) ? document.activeElement : null;
    const fields = new Map(all("input[id], select[id]", part).filter((field) => field.value !== field.defaultValue).map((field) => [field.id, field.value]));
    const open = all("details[open][id]", part).map((fold) => fold.id);
    const range = active && "selectionStart" in active && active.type !== "number" ? [active.selectionStart, active.selectionEnd] : null;
    return { id: active?.id || "", name: active?.name || "", value: active?.value, tag: active?.tagName, text: active?.textContent, fields, open, range, scroll: part.scrollTop };
  }

  function restore(part, was) {
    for (const [id, value] of was.fields) {
      const field = part.querySelector(`#${CSS.escape(id)}`);
      if (field && id !== "policy") field.value = value;
    }
    for (const id of was.open) {
      const fold = part.querySelector(`#${CSS.escape(id)}`);
      if (fold) fold.open = true;
    }
    part.scrollTop = was.scroll;
    if (!was.tag) return;
    const alike = all(was.tag, part).filter((each) => each.name === was.name && each.value === was.value);
    // buttons without a name differ by what is written on them
    const same = was.id ? part.querySelector(`#${CSS.escape(was.id)}`) : alike.find((each) => each.textContent === was.text) || (was.name && alike[0]);
    const next = same || one("[data-focus]", part);
    if (!next) return;
    next.focus({ preventScroll: true });
    if (same && was.range) try { next.setSelectionRange(...was.range); } catch { /* not a text field any more */ }
  }

  /* A refusal is there to be read, and not for ever: what happens meanwhile is said after it, unless one's turn comes. */
  const READ = 4000;
  let reading = 0; // until then
  let anew = false; // all of the table is asked for, though it be the version that is here

  function read() {
    reading = performance.now() + READ;
    setTimeout(() => { anew = true; look(); }, READ);
  }

  const parsed = (html) => new DOMParser().parseFromString(html, "text/html").getElementById("room");

  /* One part of the page. */
  function show(part) {
    const { part: name } = part.dataset;
    const old = one(`[data-part="${name}"]`, room());
    const now = plain(part);
    if (!old || said.get(name) === now) return;
    const was = kept(old);
    if (name.startsWith("seat-")) reactions.carry(old, part);
    old.replaceWith(part);
    restore(part, was);
    said.set(name, now);
  }

  const pacer = createPacer(show, settle, land);
  let focused = null; // what had the focus, which it loses while it waits for cards
  let turnBefore = "";

  function swap(fresh) {
    if (!fresh) return;
    const part = document.activeElement?.closest("[data-part]");
    if (part) focused = { name: part.dataset.part, was: kept(part) };
    if (fresh.dataset.live && Number(fresh.dataset.version) >= version()) sayNews(fresh); // whatever is on its way
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
      remember(fresh);
      if (!fresh.dataset.live) setTimeout(look, 5000);
      return;
    }
    if (Number(fresh.dataset.version) < version()) return; // an answer that was overtaken
    const wasSeated = "seated" in room().dataset;
    if ((fresh.dataset.turn ? fresh.dataset.phase : "") !== turnBefore) reading = 0;
    for (const part of all("[data-part]", fresh)) {
      const name = part.dataset.part;
      const old = one(`[data-part="${name}"]`, room());
      if (!old) continue;
      if (name === "verdict" && performance.now() < reading) continue;
      if (said.get(name) !== plain(part)) {
        show(part);
      } else {
        for (const form of all("form[action]", old)) form.action = form.getAttribute("action").replace(/\/\d+$/, `/${fresh.dataset.version}`);
      }
    }
    for (const { name } of Array.from(room().attributes)) if (name.startsWith("data-") && !fresh.hasAttribute(name)) room().removeAttribute(name);
    for (const { name, value } of Array.from(fresh.attributes)) room().setAttribute(name, value);
    if (wasSeated !== "seated" in room().dataset) { stopListening(); listen(); } // who sits down watches no longer
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
    startClock();
    showWatching();
    sayNews();
    if (turned) call();
    else title();
  }

  /* ---- it is your turn: in the title, and by sound and vibration where nobody looks ---- */

  /* Which turn it is that the table waits for, if any: a bet, and then cards, are two. */
  const turn = () => (room().dataset.turn ? room().dataset.phase : "");

  let audio = null;
  let touched = performance.now();
  /* A page may make no sound before somebody has used it, with a finger, a mouse or a key. */
  for (const kind of ["pointerup", "keydown"]) document.addEventListener(kind, () => {
    touched = performance.now();
    if (room().dataset.sound !== "1" || !window.AudioContext) return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume().catch(() => {});
  });

  function chime() {
    if (room().dataset.sound !== "1" || !audio) return;
    [[660, 0], [880, 0.16]].forEach(([pitch, at]) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.0001, audio.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.12, audio.currentTime + at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + at + 0.3);
      tone.connect(volume).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.32);
    });
  }

  const title = () => { document.title = room().dataset.turn && document.hidden ? `● ${room().dataset.turn} – ${TITLE}` : TITLE; };

  function call() {
    title();
    if (!turn()) return;
    chime();
    // a telephone lies on the table as often as it hides the page; before any touch the browser would refuse, and complain
    const elsewhere = document.hidden || performance.now() - touched > AWAY;
    if (elsewhere && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([120, 80, 120]);
  }

  /* ---- what no fragment says: the server's time, by which the clock runs, and how many look on ---- */

  let ticking = 0;
  let ahead = Number(room().dataset.now) - performance.now(); // of our own clock
  let watching = one("[data-watching]").textContent;

  const reactions = createReactions(() => saidAt, ({ headers }) => reactions.showAll(headers.get("X-Reactions")));

  function hear({ headers }) {
    if (!headers.has("X-Now")) return; // an error
    ahead = Number(headers.get("X-Now")) - performance.now();
    watching = headers.get("X-Watching");
  }

  function showWatching() {
    const place = one("[data-watching]");
    if (place) place.textContent = watching;
  }

  function startClock() {
    const clock = one("[data-clock]");
    clearTimeout(ticking);
    if (!clock) return;
    const end = Number(clock.dataset.deadline) - ahead;
    const span = Number(clock.dataset.span);
    const asked = version();
    let lookedAt = 0;
    const tick = () => {
      if (!clock.isConnected) return;
      const left = Math.max(0, end - performance.now());
      one("[data-seconds]", clock).textContent = String(Math.ceil(left / 1000));
      one(".clock__left", clock).setAttribute("width", String(Math.round((200 * left) / span)));
      clock.classList.toggle("clock--late", left < 5000);
      // whoever asks first after the end makes the house act; a stream does, and if none is there, we do
      if (left === 0 && version() === asked && performance.now() - lookedAt > 1500) {
        const wait = lookedAt ? 0 : 400 + 400 * Math.random();
        lookedAt = performance.now() + wait;
        setTimeout(look, wait);
      }
      ticking = setTimeout(tick, 200);
    };
    tick();
  }

  /* ---- asking ---- */

  let busy = false;
  let sent = 0;
  let looking = false;
  let again = false;
  let gone = false;

  const BEAT = 10000; // milliseconds
  let signed = 0;

  async function look() {
    // while a command is on its way nothing is asked: an answer from before it may be a stranger's, if it was the first
    if (gone) return;
    if (looking || busy) { again = true; return; }
    looking = true;
    again = false;
    const before = sent;
    try {
      const offered = OFFERED && !("seated" in room().dataset) ? `&seat=${encodeURIComponent(OFFERED)}` : "";
      const answer = await fetch(`${LIVE}?since=${anew ? 0 : version()}${source ? "" : "&still=1"}${offered}`, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (answer.status === 404) { gone = true; stopListening(); } // nobody sat here for long: asking on would look like guessing
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
    if (again && !looking) look();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-change]")) event.target.form.requestSubmit();
  });

  /* ---- the event stream ---- */

  let source = null;
  let polling = 0;
  let failed = 0;

  function listen() {
    if (source || gone || !window.EventSource || document.visibilityState === "hidden" && !("seated" in room().dataset)) return;
    source = new EventSource(`${room().dataset.events}?page=${PAGE}`);
    source.addEventListener("moved", (event) => { failed = 0; if (Number(event.data) > version()) look(); });
    source.addEventListener("watching", (event) => { watching = event.data; showWatching(); });
    source.addEventListener("reaction", (event) => reactions.show(event.data));
    // whoever has just asked or acted has given the sign that the beat is for
    source.addEventListener("beat", () => { if ("seated" in room().dataset && performance.now() - signed > BEAT / 2) look(); });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED && ++failed < 4) return; // it tries again by itself
      stopListening();
      setTimeout(() => { failed = 0; listen(); }, 60000);
    });
    source.addEventListener("open", () => { failed = 0; lost(false); });
  }

  /* ---- a table that soon takes one for absent wants a sign sooner than the stream's beat ---- */

  function giveSigns() {
    const every = Number(room().dataset.beat ?? BEAT);
    if (every < BEAT) setTimeout(() => { if ("seated" in room().dataset) look(); giveSigns(); }, every);
  }

  function stopListening() {
    source?.close();
    source = null;
  }

  function poll() {
    clearTimeout(polling);
    const minded = () => document.visibilityState === "visible" || "seated" in room().dataset;
    polling = setTimeout(() => { if (!source && minded()) look(); poll(); }, POLL);
  }

  document.addEventListener("visibilitychange", () => {
    title();
    if (document.visibilityState === "visible") { listen(); look(); }
    else if (!("seated" in room().dataset)) stopListening();
  });
  window.addEventListener("pagehide", stopListening);
  window.addEventListener("pageshow", (event) => { if (event.persisted) { listen(); look(); } });
  window.addEventListener("online", () => { stopListening(); listen(); look(); });

  remember(room());
  document.addEventListener("DOMContentLoaded", () => { turnBefore = turn(); wake(false); listen(); poll(); giveSigns(); });
})();
