/* It is your turn: said in the title, and by sound and vibration where nobody looks. */
import { room } from "./common.js?v=10cbdc9a16";

const AWAY = 5000; // so long without a touch, one may be looking elsewhere
const TITLE = document.title;

/* Which turn it is that the table waits for, if any: a bet, and then cards, are two. */
export const turn = () => (room().dataset.turn ? room().dataset.phase : "");

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

export function showInTitle() {
  document.title = room().dataset.turn && document.hidden ? `● ${room().dataset.turn} – ${TITLE}` : TITLE;
}

export function call() {
  showInTitle();
  if (!turn()) return;
  chime();
  // a telephone lies on the table as often as it hides the page; before any touch the browser would refuse, and complain
  const elsewhere = document.hidden || performance.now() - touched > AWAY;
  if (elsewhere && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([120, 80, 120]);
}
