/* The parts of a shared table. An answer and a pushed message consist of parts that htmx swaps; those that have not changed
   are left out, so that focus, typed text, opened details and scroll positions in them are kept. */
import { all, one, room } from "./common.js";
import { focus, kept, restore } from "./focus.js";

const named = (name) => one(`[data-part="${name}"]`, room());
const nameOf = (task) => task.fragment.firstElementChild?.dataset.part;

/* The HTML of a part as the server sent it, for comparison: without the addresses of its forms, in which the version changes
   with every move, and without the suggested name, which differs for each page. */
function plain(part) {
  const copy = part.cloneNode(true);
  for (const form of [copy, ...all("[action], [hx-post], [data-htmx-powered]", copy)]) {
    for (const name of ["action", "hx-post", "data-htmx-powered"]) form.removeAttribute(name);
  }
  one("#name", copy)?.removeAttribute("value");
  return copy.outerHTML;
}

/* `carry` moves elements that belong to no part, such as a reaction, to the new seat. */
export function createParts(carry) {
  const said = new Map(all("[data-part]", room()).map((part) => [part.dataset.part, plain(part)]));
  let losing = []; // parts that are being swapped, with what is to be kept of them

  /* Called for a part that takes the place of another one. */
  function replace(old, part) {
    said.set(part.dataset.part, plain(part));
    if (part.dataset.part.startsWith("seat-")) carry(old, part);
  }

  return {
    /* Leave out of the swaps of htmx all parts that have not changed, or that are to stay for now. */
    thin(tasks, stays) {
      losing = [];
      for (const task of tasks.splice(0)) {
        const name = nameOf(task);
        const old = name && named(name);
        const part = task.fragment.firstElementChild;
        if (old && (stays(name) || said.get(name) === plain(part))) continue;
        if (old) {
          losing.push({ name, was: kept(old) });
          replace(old, part);
        }
        tasks.push(task);
      }
    },
    /* After the swap: give the new parts what was typed and opened in the old ones, and the focus. */
    keep() {
      for (const { name, was } of losing.splice(0)) {
        const part = named(name);
        restore(part, was);
        if (was.tag) focus(part, was);
      }
    },
    /* Show a part of a step between two states. */
    show(part) {
      const old = named(part.dataset.part);
      if (!old || said.get(part.dataset.part) === plain(part)) return;
      replace(old, part);
      old.replaceWith(part);
    },
  };
}
