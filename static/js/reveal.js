/* Hides results until the last card has landed: elements marked `data-after` are replaced by their old content, elements
   marked `data-later` keep their old classes. The value of both marks names the element and is the same in every state of
   the page. Cards marked to be held look as before; their checkboxes have the new state, also for screen readers. */
import { all } from "./common.js";

/* Elements by name. Of several with one name (a sentence for face-down cards and one for turned cards), the visible one. */
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

/* Make the old element ready to stand in the place of the new one, inert and with the pressed button dimmed. `data-past`
   hides what is written on the cards of another hand. */
function keepOld(old, isSame, pressed) {
  old.dataset.held = "";
  old.toggleAttribute("data-past", !isSame);
  old.inert = !old.matches("header");
  if (pressed && old.contains(pressed)) pressed.classList.add("btn--pressed");
}

/* The classes without those that tell a result; classes for the layout are needed from the beginning. */
const neutral = (classes) => classes.split(/\s+/).filter((name) => !/--(?:active|even|lost|turn|won)$/.test(name)).join(" ");

/* Keep the old look of a card whose mark has changed. Returns a function that undoes it. */
function keepLook(box, wasMarked) {
  const card = box.closest(".card");
  card.dataset.look = wasMarked ? "held" : "loose";
  return () => delete card.dataset.look;
}

/* Hold back all marked elements within these. `isSame`: the old state is of the same hand. Returns how to show the new state
   (`release`), and how to show parts in between (`tell`): they stand in for those of their names until then. */
export function holdBack(elements, old, isSame, pressed) {
  const marked = (mark) => elements.flatMap((element) => [...(element.matches(`[${mark}]`) ? [element] : []), ...all(`[${mark}]`, element)]);
  const releases = [];
  const shown = new Map(); // for each name of a part the element that stands there now
  const put = (name, element) => {
    if (shown.get(name) !== element) shown.get(name).replaceWith(element);
    shown.set(name, element);
  };
  for (const part of marked("data-after")) {
    if ("told" in part.dataset) continue;
    const name = part.dataset.after;
    const isFirst = !shown.has(name);
    const was = isFirst && old.parts.get(name);
    if (isFirst) shown.set(name, part);
    if (was && was !== part && !(isSame && was.isEqualNode(part))) {
      keepOld(was, isSame, pressed);
      put(name, was);
    } else if (!was) {
      part.classList.add("held-back");
      releases.push(() => part.classList.remove("held-back"));
    }
    if (isFirst) releases.push(() => put(name, part));
  }
  for (const part of marked("data-later")) {
    const fresh = part.className;
    part.className = (isSame && old.classes.get(part.dataset.later)) || neutral(fresh);
    releases.push(() => { part.className = fresh; delete part.dataset.told; });
    shown.set(part.dataset.later, part);
  }
  for (const box of marked("data-mark")) {
    const wasMarked = isSame && old.marks.has(box.value);
    if (box.checked !== wasMarked) releases.push(keepLook(box, wasMarked));
  }
  return {
    release: () => releases.splice(0).forEach((release) => release()),
    tell(parts) {
      for (const part of parts) {
        part.dataset.told = "";
        const { after, later } = part.dataset;
        const stands = shown.get(after ?? later);
        if (!stands) continue;
        if (after) put(after, part);
        else Object.assign(stands, { className: part.className }).dataset.told = "";
      }
    },
  };
}
