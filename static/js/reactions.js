/* Sends and shows reactions at a shared table: pictures that appear at the sender's seat for a moment. They are outside
   of the parts that are replaced, so an update does not remove them. */
import { announce, one } from "./common.js";

const SHOWN = 2500;
const REST = 3000; // milliseconds: the minimum between two reactions of a seat
const SAID = 6000; // milliseconds between two announcements of reactions
const QUIET = 2000; // milliseconds after an announcement of the game without one of a reaction

const isMuted = () => document.documentElement.dataset.reactions === "0";

/* `lastNews`: returns the time of the last announcement of the game. */
export function createReactions(lastNews) {
  const known = new Set();
  let saidAt = -SAID;

  function show(line) {
    const [seat, kind, word] = line.split(" ");
    if (known.has(word)) return;
    known.add(word);
    const place = one(`[data-part="seat-${seat}"].place--taken`);
    const drawn = one(`[data-kind="${CSS.escape(kind)}"]`, document.getElementById("reactions").content);
    if (isMuted() || !place || !drawn) return;
    const picture = drawn.cloneNode(true);
    one(".reaction", place)?.remove();
    place.append(picture);
    setTimeout(() => picture.remove(), SHOWN);
    const now = performance.now();
    if (now - saidAt < SAID || now - lastNews() < QUIET) return;
    saidAt = now;
    announce(`${place.ariaLabel}: ${picture.ariaLabel}`);
  }

  document.addEventListener("htmx:config:request", ({ target: form, detail: { ctx } }) => {
    if (!form.matches("form[data-reaction]")) return;
    ctx.request.body.set("once", Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join(""));
    const fold = form.closest("details");
    const summary = one("summary", fold);
    fold.open = false;
    summary.focus({ preventScroll: true });
    summary.classList.add("react__open--rests");
    setTimeout(() => document.querySelectorAll(".react__open--rests").forEach((each) => each.classList.remove("react__open--rests")), REST);
  });

  return {
    show,
    /* Show the reactions in the header of an answer. */
    showAll(lines) { for (const line of lines?.split(",") ?? []) show(line); },
    /* Move the reaction that is shown at a seat to the element that replaces it. */
    carry(before, after) {
      const picture = one(".reaction", before);
      if (picture && after.matches(".place--taken")) after.append(picture);
    },
  };
}
