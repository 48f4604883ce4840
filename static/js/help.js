/* The sheet with rules and keys, over the dock or beside the felt. It stays open when the room is replaced. */
import { one, room } from "./common.js";
import { focus, kept } from "./focus.js";
import { lift } from "./menu.js";

let isOpen = false;
let was = null; // where the focus was

function show() {
  const help = document.getElementById("help");
  if (!help) return false;
  help.hidden = !isOpen;
  lift(isOpen ? help : null);
  one("[data-help]")?.setAttribute("aria-expanded", String(isOpen));
  return true;
}

export function closeHelp() {
  if (!isOpen) return false;
  isOpen = false;
  show();
  focus(room(), was); // what had the focus may be gone: the help stays open from one move to the next
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
  was = kept(room());
  isOpen = true;
  if (!show()) { isOpen = false; return; } // no panel on this page: the link leads to the rules
  event.preventDefault();
  document.getElementById("help").focus({ preventScroll: true });
});

document.addEventListener("wake", show);
