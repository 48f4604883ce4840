/* Soft sounds, off by default. One small file contains all of them (made by .packaging/make_sounds.py). They are played
   on the events "card" and "landed", which motion.js sends on the document. */
import { room, stateOf } from "./common.js";
import { ask } from "./line.js";

const PLACES = {
  card1: [0, 0.1], card2: [0.1, 0.09], card3: [0.19, 0.11], flip: [0.3, 0.09],
  chip: [0.39, 0.12], ping: [0.51, 0.46], shuffle: [0.97, 0.5], tick: [1.47, 0.07],
};
const RISE = [[1], [1.125], [1.335], [1.5, 2]]; // pitches of the sound by the tier of the win: the greatest is a chord
const VOLUME = 0.5;

let context = null;
let loading = null;
let cards = 0;

const isOn = () => document.documentElement.dataset.sound === "1" && !document.hidden;

function load() {
  context ??= new AudioContext();
  loading ??= ask(document.documentElement.dataset.sounds, {}, () => {})
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => context.decodeAudioData(bytes));
  loading.catch(() => { loading = null; }); // try again with the next sound
  return loading;
}

async function play(name, rate = 1) {
  if (!isOn() || !window.AudioContext) return;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return; // browsers do not allow it before the page is used
  const buffer = await load();
  if (context.state === "suspended") await context.resume();
  const source = new AudioBufferSourceNode(context, { buffer, playbackRate: rate });
  source.connect(new GainNode(context, { gain: VOLUME })).connect(context.destination);
  source.start(0, ...PLACES[name]);
  document.dispatchEvent(new CustomEvent("sounded", { detail: { name, rate } }));
}

const sounded = (name, rate) => play(name, rate).catch(() => {});

export const sample = () => sounded("chip");

/* Browsers allow sounds after the first touch; load them then, so that they are ready for the first card. */
for (const kind of ["pointerup", "keydown"]) document.addEventListener(kind, () => {
  if (isOn() && window.AudioContext) load().then(() => context.resume()).catch(() => {});
}, true);

document.addEventListener("card", ({ detail }) => {
  if (detail?.kind === "turn") sounded("flip");
  else if (detail?.kind === "shuffle") sounded("shuffle");
  else {
    cards += 1;
    sounded(`card${1 + (cards % 3)}`);
  }
});

document.addEventListener("landed", () => {
  const [name, tier] = (stateOf(room())?.dataset.resultSound ?? "").split("-");
  if (name) for (const rate of name === "ping" ? RISE[tier] : [1]) sounded(name, rate);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-chip], [data-twice], [data-again], [data-bet], [data-stack]")) sounded("chip");
});
