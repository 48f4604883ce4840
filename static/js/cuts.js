/* Fills in a random cut, the player's part of the shuffle, where none is typed in; and submits forms that are marked
   `data-auto`. */
import { all, one } from "./common.js";

const sent = new Set();

function cutWord() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}

export function fillCuts() {
  for (const field of all("[data-cut]")) if (!field.value) field.value = cutWord();
}

/* Submit forms that are marked `data-auto`, such as a cut of the banker: once for each hand or round, because a refused one
   would be submitted again and again. */
export function goOn() {
  const form = one("form[data-auto]");
  if (!form || sent.has(form.dataset.auto)) return;
  sent.add(form.dataset.auto);
  form.requestSubmit(one("[type=submit]", form)); // with its button, which then looks pressed
}
