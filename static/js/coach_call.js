/* The coach is fetched when it is wanted, and not before: by its setting, or by the first question. */
import { one } from "./common.js?v=10cbdc9a16";

let isHere = false;

async function call() {
  await import("./coach.js?v=31bb753b33");
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
