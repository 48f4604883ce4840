/* Signals that it is the player's turn: in the title, and by sound and vibration if the page is not in use. */
import { room, stateOf } from "./common.js";

const AWAY = 5000; // milliseconds without input after which the player may be looking elsewhere
const TITLE = document.title;

const state = () => stateOf(room()).dataset;

/* An identifier of the player's turn, if it is one: betting and acting are two. */
export const turn = () => (state().turn ? state().phase : "");

let audio = null;
let touched = performance.now();
/* Browsers allow sounds only after the first input. */
for (const kind of ["pointerup", "keydown"]) document.addEventListener(kind, () => {
  touched = performance.now();
  if (state().sound !== "1" || !window.AudioContext) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
});

function chime() {
  if (state().sound !== "1" || !audio) return;
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

export function showInTitle() {
  document.title = state().turn && document.hidden ? `● ${state().turn} – ${TITLE}` : TITLE;
}

export function call() {
  showInTitle();
  if (!turn()) return;
  chime();
  // also if the page is visible: the phone may lie on the table. Before any input browsers refuse it with a warning
  const elsewhere = document.hidden || performance.now() - touched > AWAY;
  if (elsewhere && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([120, 80, 120]);
}
