/* Sends and shows reactions at a shared table: pictures without words, for a moment, at the place of who sent them. They
   are not in the parts of the table that are swapped, so a swap leaves them where they are. */
import { announce, one } from "./common.js?v=10cbdc9a16";
import { PART, RETRY_AFTER, request } from "./line.js?v=fbdf49fff7";

const SHOWN = 2500;
const REST = 3000; // milliseconds: the site takes no second one before
const SAID = 6000; // a screen reader hears of one in so long
const QUIET = 2000; // and of none so soon after news of the game

const isMuted = () => document.documentElement.dataset.reactions === "0";

/* `lastNews` says when the page last announced something of the game. `hear` takes the headers of an answer. */
export function createReactions(lastNews, hear) {
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

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-reaction]")) return;
    event.preventDefault();
    const fold = form.closest("details");
    const summary = one("summary", fold);
    const body = new URLSearchParams({
      kind: event.submitter.value,
      once: Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join(""),
    });
    fold.open = false;
    summary.focus({ preventScroll: true });
    summary.classList.add("react__open--rests");
    setTimeout(() => document.querySelectorAll(".react__open--rests").forEach((each) => each.classList.remove("react__open--rests")), REST);
    const got = await request(form.action, { method: "POST", body, headers: PART }, [0, ...RETRY_AFTER.slice(0, 1)]);
    if (got) hear(got.answer); // refused or not: nobody needs a sentence about it
  });

  return {
    show,
    /* As the header of an answer has them. */
    showAll(lines) { for (const line of lines?.split(",") ?? []) show(line); },
    /* A place that is swapped keeps what is shown at it. */
    carry(before, after) {
      const picture = one(".reaction", before);
      if (picture && after.matches(".place--taken")) after.append(picture);
    },
  };
}
