/* The player's own part of the shuffle, which the page draws where nobody types one; and what it sends by itself. */
import { all, one } from "./common.js?v=10cbdc9a16";

const sent = new Set();

function cutWord() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}

export function fillCuts() {
  for (const field of all("[data-cut]")) if (!field.value) field.value = cutWord();
}

/* A deal that follows by itself, or a cut of the banker: once for each hand or round, or what was refused would be sent for
   ever. */
export function goOn() {
  const form = one("form[data-auto]");
  if (!form || sent.has(form.dataset.auto)) return;
  sent.add(form.dataset.auto);
  form.requestSubmit();
}
