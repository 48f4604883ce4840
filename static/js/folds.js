/* Closes panels that are opened over the side column (`data-fold`) by Escape or by a tap elsewhere. */
import { all, one } from "./common.js";

export function closeFolds(but) {
  const open = all("[data-fold][open]").filter((fold) => fold !== but);
  for (const fold of open) {
    const inside = fold.contains(document.activeElement);
    fold.open = false;
    if (inside) one("summary", fold).focus();
  }
  return open.length > 0;
}

document.addEventListener("click", (event) => closeFolds(event.target.closest("[data-fold]")));
