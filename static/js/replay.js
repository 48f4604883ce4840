/* Plays a replay step by step, from the beginning or from the current step. It presses the button that steps forward, so
   that keys, addresses and announcements are the same as for single steps. A tap or a key stops it. */
import { one } from "./common.js";

const PACE = 1500; // milliseconds for which a step is shown, once its last card has landed

const step = (key) => one(`.stepper [aria-keyshortcuts="${key}"]`);
const canGo = (link) => Boolean(link) && link.getAttribute("aria-disabled") !== "true";

let isPlaying = false;
let hasStepped = new URLSearchParams(location.search).has("step");
let timer = 0;

function show() {
  one("[data-play]")?.setAttribute("aria-pressed", String(isPlaying));
}

function stop() {
  clearTimeout(timer);
  isPlaying = false;
  show();
}

function goOn() {
  clearTimeout(timer);
  if (!canGo(step("ArrowRight"))) return void stop();
  timer = setTimeout(() => step("ArrowRight").click(), PACE);
}

function play() {
  isPlaying = true;
  show();
  const fromStart = !hasStepped || !canGo(step("ArrowRight"));
  hasStepped = true;
  if (fromStart && canGo(step("Home"))) step("Home").click();
  else step("ArrowRight").click();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) (isPlaying ? stop : play)();
  else if (event.isTrusted && event.target.closest(".stepper a")) hasStepped = true;
});
document.addEventListener("wake", () => { if (isPlaying) { show(); goOn(); } });
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => { if (ctx.target?.id === "finish" && !ctx.response) stop(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) stop(); });
document.addEventListener("pointerdown", (event) => { if (isPlaying && !event.target.closest("[data-play]")) stop(); });
document.addEventListener("keydown", (event) => {
  if (!isPlaying || event.key === "P" || event.key === "p" || event.target.closest?.("[data-play]")) return;
  hasStepped = true;
  stop();
}, true);
