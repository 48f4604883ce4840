/* Keyboard control: each key presses its button, unless keys are switched off. A key that is held down presses once, and a
   key that ends an animation does not press a button that appears by it. */
import { all, one } from "./common.js";
import { closeFolds } from "./folds.js";
import { closeHelp } from "./help.js";
import { finish } from "./motion.js";

const isShown = (element) => element.getClientRects().length > 0;

const withKey = (key) => all("[aria-keyshortcuts]").find((element) =>
  isShown(element) && !element.disabled && !element.closest("#room[inert]") && element.getAttribute("aria-keyshortcuts").split(" ").includes(key));

/* The letter or digit of a US keyboard at the place of a key that has neither: `&` of a French one is 1, `ы` of a Russian one
   is S. Punctuation at the place of a letter stays what it is. */
function placeOf({ key, code }) {
  const [, kind, place] = /^(Digit|Key)(.)$/.exec(code) ?? [];
  const isForeign = kind === "Digit" ? /^[^a-z0-9]$/i : /^[^\x00-\x7f]$/;
  return isForeign.test(key) ? place : undefined;
}

// a button that appears while a key is down must not be pressed by its release
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
  // in the field of a bet, letters are keys as everywhere else
  const number = target.matches("[data-stake]");
  const letter = number && !event.isComposing && /^[^0-9]$/.test(key);
  const typing = !letter && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
  if (key === "Escape" && (closeFolds() || closeHelp())) return;
  if (key === "Escape" && number) target.blur();
  if (letter) event.preventDefault();
  if (typing || (target.matches("[type=radio]") && key.startsWith("Arrow"))) return;
  if ((key === "Enter" || key === "Space") && target.closest("a, button, input, summary, label")) return;
  if (document.documentElement.dataset.keys === "0") return;
  const match = withKey(key) ?? withKey(number && event.code.startsWith("Digit") ? undefined : placeOf(event));
  if (!match) return;
  event.preventDefault();
  if (brought && (match.closest("[data-after]") || unseen.some((card) => card.contains(match)))) return; // it has just appeared
  if (!match.matches("[data-stake]")) return void match.click();
  match.focus();
  match.select();
});
