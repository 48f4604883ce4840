/* Updates the page of a shared table part by part: only parts that differ are replaced. Focus, typed text, opened details
   and scroll positions are kept. */
import { all, one, room } from "./common.js";
import { focus, kept, restore } from "./focus.js";

export const versionOf = (root) => Number(root.dataset.version);

/* The HTML of a part as the server sent it, for comparison: without the addresses of its forms, in which the version changes
   with every move, and without the suggested name, which differs for each page. */
function plain(part) {
  const copy = part.cloneNode(true);
  for (const form of all("form[action]", copy)) form.removeAttribute("action");
  one("#name", copy)?.removeAttribute("value");
  return copy.outerHTML;
}

/* Set the version in the addresses of the forms of a part. */
function address(root, version) {
  for (const form of all("form[action]", root)) form.setAttribute("action", form.getAttribute("action").replace(/\/\d+$/, `/${version}`));
}

function copyAttributes(from, to) {
  for (const { name } of Array.from(to.attributes)) if (name.startsWith("data-") && !from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of Array.from(from.attributes)) to.setAttribute(name, value);
}

/* The parts in the page. `carry` moves elements that belong to no part, such as a reaction, to the new seat. */
export function createParts(carry) {
  let said = new Map();

  function remember(root) {
    said = new Map(all("[data-part]", root).map((part) => [part.dataset.part, plain(part)]));
  }

  /* Replace one part. */
  function show(part) {
    const { part: name } = part.dataset;
    const old = one(`[data-part="${name}"]`, room());
    const now = plain(part);
    if (!old || said.get(name) === now) return;
    const was = kept(old);
    if (name.startsWith("seat-")) carry(old, part);
    old.replaceWith(part);
    restore(part, was);
    if (was.tag) focus(part, was);
    said.set(name, now);
  }

  /* Replace all parts of a new room, except for those that are to stay for now. */
  function showAll(fresh, stays) {
    for (const part of all("[data-part]", fresh)) {
      const name = part.dataset.part;
      const old = one(`[data-part="${name}"]`, room());
      if (!old || stays(name)) continue;
      if (said.get(name) !== plain(part)) show(part);
      else address(old, fresh.dataset.version);
    }
    copyAttributes(fresh, room());
  }

  remember(room());
  return { remember, show, showAll };
}

/* The room that the server has sent last, shown or not: pushed views contain only differences to it. */
export function createLatest() {
  let latest = room().cloneNode(true);

  return {
    version: () => versionOf(latest),
    take(fresh) { if (fresh.dataset.live && versionOf(fresh) >= versionOf(latest)) latest = fresh.cloneNode(true); },
    /* Merge a pushed view with the differences since version `since` (0: all parts) into the whole room; null if the latest room
   has another version. */
    merge(since, fresh) {
      if (!since) return fresh;
      if (since !== versionOf(latest)) return null;
      const whole = latest.cloneNode(true);
      for (const step of all("template[data-step]", whole)) step.remove();
      for (const part of all("[data-part]", fresh)) one(`[data-part="${part.dataset.part}"]`, whole)?.replaceWith(part);
      whole.append(...all("template[data-step]", fresh));
      copyAttributes(fresh, whole);
      address(whole, fresh.dataset.version);
      return whole;
    },
  };
}
