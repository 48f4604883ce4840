/* Keys: a key is its button. One that is held down presses once, and one that lays cards down at once presses nothing that
   comes by it. */
import { all, one } from "./common.js?v=10cbdc9a16";
import { closeFolds } from "./folds.js?v=e718688d8c";
import { closeHelp } from "./help.js?v=66c71ee7ea";
import { finish } from "./motion.js?v=b22fcba0f6";

const isShown = (element) => element.getClientRects().length > 0;

// what comes under a key that is held down is not pressed by its end
let pressedOn = null;
const presses = (event) => (event.key === "Enter" || event.key === " ") && event.target.closest("#room");
document.addEventListener("keydown", (event) => {
  if (event.repeat) {
    if (presses(event) && !event.target.matches("textarea")) event.preventDefault();
  } else pressedOn = event.target;
});
document.addEventListener("keyup", (event) => {
  if (event.key === " " && presses(event) && event.target !== pressedOn) event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const unseen = all("[data-look]");
  const brought = !event.repeat && finish();
  if (brought && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  if (one("dialog[open]") || event.defaultPrevented || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  const key = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // in the field of a bet a letter is no text: it is the key that it is everywhere
  const number = target.matches("[data-stake]");
  const letter = number && !event.isComposing && /^[^0-9]$/.test(key);
  const typing = !letter && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  if (key === "Escape" && (closeFolds() || closeHelp())) return;
  if (key === "Escape" && number) target.blur();
  if (letter) event.preventDefault();
  if (typing || (target.matches("[type=radio]") && key.startsWith("Arrow"))) return;
  if ((key === "Enter" || key === "Space") && target.closest("a, button, input, summary, label")) return;
  const match = all("[aria-keyshortcuts]").find((element) =>
    isShown(element) && !element.disabled && element.getAttribute("aria-keyshortcuts").split(" ").includes(key));
  if (!match) return;
  event.preventDefault();
  if (brought && (match.closest("[data-after]") || unseen.some((card) => card.contains(match)))) return; // nobody has seen it yet
  if (!match.matches("[data-stake]")) return void match.click();
  match.focus();
  match.select();
});
