/* The coach is fetched when it is wanted, and not before: by its setting, or by the first question. */
import { one } from "./common.js?v=505a77a02a";

let isHere = false;

async function call() {
  await import("./coach.js?v=e40342fa33");
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
