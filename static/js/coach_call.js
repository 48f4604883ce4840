/* The coach is fetched when it is wanted, and not before: by its setting, or by the first question. */
import { one } from "./common.js?v=343a6a0ae3";

let isHere = false;

async function call() {
  await import("./coach.js?v=21cee31fb5");
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
document.addEventListener("htmx:afterSettle", look);
look();
