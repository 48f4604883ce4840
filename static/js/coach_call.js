/* Loads coach.js on demand: at once if the settings ask for it, otherwise with the first request for a hint. */
import { one } from "./common.js";

let isHere = false;

async function call() {
  await import("./coach.js");
  isHere = true;
}

function look() {
  if (isHere || (document.documentElement.dataset.coach === "off" && !one("[data-coach-values], [data-coach-why]"))) return;
  call().catch(() => {});
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-hint]");
  if (!form || isHere || event.defaultPrevented) return;
  event.preventDefault();
  call().then(() => form.requestSubmit()).catch(() => form.submit());
});
document.addEventListener("landed", look);
document.addEventListener("swapped", look);
look();
