/* Unfolds a line of the pay table: five small cards, and why they make this hand. They are loaded from the rules page, to
   which the line links without scripts. They cover the pay table, and never a card in play. */
import { all, announce, one } from "./common.js";

const pages = new Map();

function rulesOf(url) {
  if (!pages.has(url)) {
    const page = fetch(url).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(url))));
    pages.set(url, page.then((text) => new DOMParser().parseFromString(text, "text/html")));
    page.catch(() => pages.delete(url));
  }
  return pages.get(url);
}

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
  const url = new URL(link.href);
  const line = url.hash.slice(1);
  url.hash = "";
  let example;
  try {
    example = one(".example", (await rulesOf(url.href)).getElementById(line));
  } catch {
    location.assign(link.href);
    return;
  }
  if (!link.isConnected || !link.hasAttribute("aria-expanded")) return; // it was closed meanwhile, or the room was replaced
  const panel = document.createElement("div");
  panel.className = "unfold";
  const name = document.createElement("b");
  name.textContent = link.textContent.trim();
  panel.append(name, document.importNode(example, true));
  const table = link.closest(".paytable");
  const row = link.closest(".paytable__row");
  const isLow = row.offsetTop > table.offsetHeight / 2;
  panel.classList.toggle("unfold--above", isLow);
  table.append(panel);
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
