/* What tells a result keeps its old state until the last card lies there: a part that is marked `data-after` as a whole, of
   one that is marked `data-later` its classes. Both marks name the part, the same in every state of the page. A card that
   is marked to be held looks as it did before; the box itself says how it is, also to a screen reader. */
import { all } from "./common.js?v=10cbdc9a16";

/* Of parts with one name, as a sentence for cards that lie face down and one for when they are turned, that which is seen. */
function seen(root) {
  const parts = new Map();
  for (const part of all("[data-after]", root)) {
    if (!parts.has(part.dataset.after) || part.getClientRects().length) parts.set(part.dataset.after, part);
  }
  return parts;
}

export const partsOf = (root) => ({
  parts: seen(root),
  classes: new Map(all("[data-later]", root).map((part) => [part.dataset.later, part.className])),
  marks: new Set(all("[data-mark]:checked", root).map((box) => box.value)),
});

/* The old part lies in the place of the fresh one, and can only be looked at. The button that was pressed is dimmed. What is
   written on cards of the last hand has left with them. */
function keepOld(part, old, isSame, pressed) {
  old.dataset.held = "";
  old.toggleAttribute("data-past", !isSame);
  old.inert = !old.matches("header");
  if (pressed && old.contains(pressed)) pressed.classList.add("btn--pressed");
  part.replaceWith(old);
  return () => old.replaceWith(part);
}

/* Classes but those that tell how a hand stands: where a part lies is no secret, and it lies there from the beginning. */
const neutral = (classes) => classes.split(/\s+/).filter((name) => !/--(?:active|even|lost|turn|won)$/.test(name)).join(" ");

/* The look of a card's mark, where that is another one now. */
function keepLook(box, wasMarked) {
  const card = box.closest(".card");
  card.dataset.look = wasMarked ? "held" : "loose";
  return () => delete card.dataset.look;
}

/* Hold back what is marked in these elements; `isSame`: the old state is of the same hand. Returns what puts the fresh
   state there. */
export function hold(elements, old, isSame, pressed) {
  const marked = (mark) => elements.flatMap((element) => [...(element.matches(`[${mark}]`) ? [element] : []), ...all(`[${mark}]`, element)]);
  const releases = [];
  const kept = new Set();
  for (const part of marked("data-after")) {
    const name = part.dataset.after;
    const was = kept.has(name) ? null : old.parts.get(name);
    kept.add(name);
    if (was && was !== part && !(isSame && was.isEqualNode(part))) releases.push(keepOld(part, was, isSame, pressed));
    else if (!was) {
      part.classList.add("held-back");
      releases.push(() => part.classList.remove("held-back"));
    }
  }
  for (const part of marked("data-later")) {
    const fresh = part.className;
    part.className = (isSame && old.classes.get(part.dataset.later)) || neutral(fresh);
    if (part.className !== fresh) releases.push(() => { part.className = fresh; });
  }
  for (const box of marked("data-mark")) {
    const wasMarked = isSame && old.marks.has(box.value);
    if (box.checked !== wasMarked) releases.push(keepLook(box, wasMarked));
  }
  return () => releases.splice(0).forEach((release) => release());
}
