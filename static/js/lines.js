/* How many hands are drawn from one hold: what all bets come to, and the most that the purse pays on each hand. bets.js loads
   it when there are several. */
import { announce, one } from "./common.js";

const NARROW = 600; // pixels: there the sentence has one line, and the sum stands beside the bet only

function show() {
  const lines = one("[data-lines]");
  if (!lines) return;
  const { value: count, dataset: { most } } = lines.selectedOptions[0];
  const { style } = lines.dataset;
  const times = one("[data-times]");
  one("[data-bet][aria-keyshortcuts=M]").dataset.bet = most;
  if (count > 1 && !one(`link[href="${style}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
  if (times) {
    times.dataset.times ||= times.textContent; // the limits of the bet
    const sum = count * one("[data-stake]").value.normalize("NFKC");
    times.toggleAttribute("data-all", count > 1);
    times.textContent = count < 2 ? times.dataset.times : sum < 1e5 ? `= ${sum.toLocaleString(document.documentElement.lang)}` : "";
  }
}

/* A bet that is too high for so many hands becomes the highest one, which is said. */
function change() {
  show();
  const [field, max] = [one("[data-stake]"), one("[data-bet][aria-keyshortcuts=M]")];
  const was = Number(field?.value.normalize("NFKC"));
  if (!(was > max?.dataset.bet)) return;
  max.click();
  say(was, Number(field.value), one("[data-lines]"));
}

function say(was, now, { value: count, dataset: { lowered } }) {
  const [before, bet, sum] = [was, now, count * now].map((number) => number.toLocaleString(document.documentElement.lang));
  const times = (number) => (count < 2 ? number : `${number} × ${count}`);
  const all = count < 2 || innerWidth < NARROW ? "" : ` = ${sum}`;
  const note = document.createElement("p");
  note.className = "rail__note";
  note.textContent = lowered.replace("{was}", times(before)).replace("{now}", times(bet) + all);
  one(".rail__note")?.remove();
  one(".rail--bet").append(note);
  announce(note.textContent);
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-lines]")) return;
  one(".rail__note")?.remove();
  change();
});
for (const kind of ["input", "click", "swapped", "wake"]) document.addEventListener(kind, show);
change();
