/* How many hands are drawn from one hold: what all bets come to, and the most that the purse pays on each hand. bets.js loads
   it when there are several. */
import { one } from "./common.js";

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

/* A bet that is too high for so many hands becomes the highest one. */
function change() {
  show();
  const [field, max] = [one("[data-stake]"), one("[data-bet][aria-keyshortcuts=M]")];
  if (Number(field?.value.normalize("NFKC")) > max?.dataset.bet) max.click();
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-lines]")) change(); });
for (const kind of ["input", "click", "swapped", "wake"]) document.addEventListener(kind, show);
change();
