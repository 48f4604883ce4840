/* The parts of a shared table's page: only those that differ are swapped. What somebody types, has focused, opened or
   scrolled to stays. */
import { all, one, room } from "./common.js?v=10cbdc9a16";
import { focus, kept, restore } from "./focus.js?v=8e8389795e";

export const versionOf = (root) => Number(root.dataset.version);

/* A part as the server said it, but for the addresses of its forms, in which the version changes with every move, and
   for the name that somebody may sit down under, which is the page's own. */
function plain(part) {
  const copy = part.cloneNode(true);
  for (const form of all("form[action]", copy)) form.removeAttribute("action");
  one("#name", copy)?.removeAttribute("value");
  return copy.outerHTML;
}

/* Have the forms of a part act on another version. */
function address(root, version) {
  for (const form of all("form[action]", root)) form.setAttribute("action", form.getAttribute("action").replace(/\/\d+$/, `/${version}`));
}

function copyAttributes(from, to) {
  for (const { name } of Array.from(to.attributes)) if (name.startsWith("data-") && !from.hasAttribute(name)) to.removeAttribute(name);
  for (const { name, value } of Array.from(from.attributes)) to.setAttribute(name, value);
}

/* The parts that the page shows. `carry` takes over what lies on a place and is of no part. */
export function createParts(carry) {
  let said = new Map();

  function remember(root) {
    said = new Map(all("[data-part]", root).map((part) => [part.dataset.part, plain(part)]));
  }

  /* One part of the page. */
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

  /* All of a fresh room, without the parts that stay for now. */
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

/* The room as the server has said it last, whether it is shown yet or not: what is pushed says only what differs. */
export function createLatest() {
  let latest = room().cloneNode(true);

  return {
    version: () => versionOf(latest),
    take(fresh) { if (fresh.dataset.live && versionOf(fresh) >= versionOf(latest)) latest = fresh.cloneNode(true); },
    /* The whole room, of one with the parts that differ since a version (0: it has them all); null if that is another one. */
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
