/* Unfolds a line of the pay table: five small cards, and why they make this hand. They are loaded from the rules page, to
   which the line links without scripts. They cover the pay table, and never a card in play. */
import htmx from "../vendor/htmx-4.0.1.esm.min.js";
import { all, announce, one } from "./common.js";

function fold() {
  const open = one(".unfold");
  if (!open) return false;
  open.remove();
  for (const link of all("[data-unfold][aria-expanded]")) link.removeAttribute("aria-expanded");
  return true;
}

async function unfold(link) {
  const wasOpen = link.hasAttribute("aria-expanded");
  fold();
  if (wasOpen) return;
  link.setAttribute("aria-expanded", "true");
  const panel = document.createElement("div");
  panel.className = "unfold";
  const name = document.createElement("b");
  name.textContent = link.textContent.trim();
  panel.append(name);
  panel.hidden = true; // until it has its size
  const table = link.closest(".paytable");
  const row = link.closest(".paytable__row");
  const isLow = row.offsetTop > table.offsetHeight / 2;
  panel.classList.toggle("unfold--above", isLow);
  table.append(panel);
  const [url, line] = link.href.split("#");
  await htmx.ajax("GET", url, { source: link, target: panel, swap: "beforeend", select: `#${CSS.escape(line)} .example` });
  if (!panel.isConnected) return; // it was closed meanwhile, or the room was replaced
  if (!one(".example", panel)) return void location.assign(link.href);
  panel.hidden = false;
  announce(`${name.textContent}: ${one(".example__reason", panel).textContent}`);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-unfold]");
  if (!link) return void fold();
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  unfold(link);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") fold(); });
document.addEventListener("swapping", fold);
