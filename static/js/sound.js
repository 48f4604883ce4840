/* Soft sounds of the table, for whoever wants them. One small file has all of them; .packaging/make_sounds.py makes it.
   They follow what is seen: "card" and "landed" are sent on the document as cards set out and come to rest. */
import { room } from "./common.js?v=10cbdc9a16";

const PLACES = {
  card1: [0, 0.1], card2: [0.1, 0.09], card3: [0.19, 0.11], flip: [0.3, 0.09],
  chip: [0.39, 0.12], ping: [0.51, 0.46], shuffle: [0.97, 0.5], tick: [1.47, 0.07],
};
const RISE = [1, 1.125, 1.335, 1.5]; // a ping by the tier of the win: a tone, a fourth, a fifth
const VOLUME = 0.5;

let context = null;
let loading = null;
let cards = 0;

const isOn = () => document.documentElement.dataset.sound === "1" && !document.hidden;

function load() {
  context ??= new AudioContext();
  loading ??= fetch(document.documentElement.dataset.sounds)
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => context.decodeAudioData(bytes));
  loading.catch(() => { loading = null; }); // no line: with the next sound again
  return loading;
}

async function play(name, rate = 1) {
  if (!isOn() || !window.AudioContext) return;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return; // a page may not, before it is used
  const buffer = await load();
  if (context.state === "suspended") await context.resume();
  const source = new AudioBufferSourceNode(context, { buffer, playbackRate: rate });
  source.connect(new GainNode(context, { gain: VOLUME })).connect(context.destination);
  source.start(0, ...PLACES[name]);
  document.dispatchEvent(new CustomEvent("sounded", { detail: { name, rate } }));
}

const sounded = (name, rate) => play(name, rate).catch(() => {});

export const sample = () => sounded("chip");

/* The first touch of a page lets it make sounds; then they are there when the first card moves. */
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
  const [name, tier] = (room()?.dataset.resultSound ?? "").split("-");
  if (name) sounded(name, name === "ping" ? RISE[tier] : 1);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-chip], [data-twice], [data-again], [data-bet], [data-stack]")) sounded("chip");
});
