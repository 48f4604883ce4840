/* Rules and keys, under the table. It stays open when the room is another one. */
import { one } from "./common.js?v=10cbdc9a16";
import { lift } from "./menu.js?v=607c7445ed";

let isOpen = false;

function show() {
  const help = document.getElementById("help");
  if (!help) return false;
  help.hidden = !isOpen;
  lift(isOpen && getComputedStyle(help).position === "fixed" ? help : null);
  one("[data-help]")?.setAttribute("aria-expanded", String(isOpen));
  return true;
}

export function closeHelp() {
  if (!isOpen) return false;
  isOpen = false;
  show();
  one("[data-help]")?.focus();
  return true;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help-close]")) return void closeHelp();
  if (!event.target.closest("[data-help]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (isOpen) {
    event.preventDefault();
    closeHelp();
    return;
  }
  isOpen = true;
  if (!show()) { isOpen = false; return; } // no panel on this page: the link leads to the rules
  event.preventDefault();
  const help = document.getElementById("help");
  help.scrollIntoView({ block: "nearest" });
  help.focus({ preventScroll: true });
});

document.addEventListener("wake", show);
