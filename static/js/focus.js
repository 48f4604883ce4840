/* Keeps what a swap would lose: the focus, typed text, opened details and scroll positions. */
import { afterFrame, all, one } from "./common.js";

let byKey = false; // keyboard players need the focus even if no element had it

document.addEventListener("keydown", () => { byKey = true; }, true);
document.addEventListener("pointerdown", () => { byKey = false; }, true);

let lost = null; // the element that had the focus before a swap, until it is restored: another swap may come before

document.addEventListener("focusin", () => { lost = null; });

/* What is to be kept of a whole room. */
export function keptOfRoom(root) {
  const was = kept(root);
  if (was.tag) lost = was;
  else if (lost && document.activeElement === document.body) return { ...lost, fields: was.fields, open: was.open, scroll: was.scroll };
  return was;
}

export function kept(root) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const fields = new Map(all("input[id], select[id]", root).filter((field) => field.value !== field.defaultValue || field.id === "name").map((field) => [field.id, field.value]));
  const open = all("details[open][id]", root).map((fold) => fold.id);
  const range = active && "selectionStart" in active && active.type !== "number" ? [active.selectionStart, active.selectionEnd] : null;
  return { id: active?.id || "", name: active?.name || "", value: active?.value, tag: active?.tagName, text: active?.textContent, fields, open, range, scroll: root.scrollTop };
}

const withId = (root, id) => one(`#${CSS.escape(id)}`, root);

export function restore(root, was) {
  for (const [id, value] of was.fields) {
    const field = withId(root, id);
    if (field && id !== "policy") field.value = value;
  }
  for (const id of was.open) {
    const fold = withId(root, id);
    if (fold) fold.open = true;
  }
  root.scrollTop = was.scroll;
}

/* The element to focus: the one that had the focus, if it still exists, otherwise the next decision. After the player's own
   action it is the other way round: the same button may mean something else now. */
export function focus(root, was, hasActed = false) {
  const alike = was.tag ? all(was.tag, root).filter((each) => each.name === was.name && each.value === was.value) : [];
  // buttons without a name are told apart by their text
  const same = was.id ? withId(root, was.id) : alike.find((each) => each.textContent === was.text) || (was.name && alike[0]);
  const decision = one("[data-focus]", root);
  const next = (hasActed && decision) || same || decision;
  if (!next) return;
  next.focus({ preventScroll: true });
  if (next === same && was.range) try { next.setSelectionRange(...was.range); } catch { /* the element is no longer a text field */ }
}

/* Set the focus after the first frame with the new state, unless it is elsewhere by then. */
export function focusLater(root, was, hasActed) {
  if (document.activeElement !== document.body || (!was.tag && !(hasActed && byKey))) return;
  afterFrame(() => { if (document.activeElement === document.body) focus(root, was, hasActed); });
}
