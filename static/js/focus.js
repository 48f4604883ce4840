/* What a swap would take away: the focus, and what somebody types, has opened or scrolled to. */
import { afterFrame, all, one } from "./common.js?v=10cbdc9a16";

let byKey = false; // whoever plays by keys needs the focus, though it was nowhere

document.addEventListener("keydown", () => { byKey = true; }, true);
document.addEventListener("pointerdown", () => { byKey = false; }, true);

let lost = null; // where the focus was, from a swap until it is given back: another swap may come meanwhile

document.addEventListener("focusin", () => { lost = null; });

/* Of the whole room, whose focus a swap takes away. */
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

/* Where the focus was, if that is still there, else where the next decision is; after an action of one's own, whose button
   may be there again for something else, the other way round. */
export function focus(root, was, hasActed = false) {
  const alike = was.tag ? all(was.tag, root).filter((each) => each.name === was.name && each.value === was.value) : [];
  // buttons without a name differ by what is written on them
  const same = was.id ? withId(root, was.id) : alike.find((each) => each.textContent === was.text) || (was.name && alike[0]);
  const decision = one("[data-focus]", root);
  const next = (hasActed && decision) || same || decision;
  if (!next) return;
  next.focus({ preventScroll: true });
  if (next === same && was.range) try { next.setSelectionRange(...was.range); } catch { /* not a text field any more */ }
}

/* With the first frame that has the words; who has gone elsewhere by then stays there. */
export function focusLater(root, was, hasActed) {
  if (document.activeElement !== document.body || (!was.tag && !(hasActed && byKey))) return;
  afterFrame(() => { if (document.activeElement === document.body) focus(root, was, hasActed); });
}
