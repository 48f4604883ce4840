/* Compares the browser's own record of its last deals (deals.js) with what the house says of these hands. A hand that the
   house does not know any more, or that has another seal or cut, does not fit. */
import { announce, one } from "./common.js";
import { deals } from "./deals.js";
import { ask } from "./line.js";

const quiet = () => {};
const asked = (url) => ask(url, { headers: { Accept: "application/json" } }, quiet);

/* Returns "fits", "open" or "wrong". */
async function verdict({ game, key, seal, cut }) {
  const answer = await asked(`/h/${key}.json`);
  if (answer.status === 404) {
    const open = await (await asked(`/play/${game}`)).json();
    return open.hand === key && open.commitment === seal ? "open" : "wrong";
  }
  const { proof } = await answer.json();
  if (!proof) return "open"; // of a shoe that is still in use, or of a daily deal
  return proof.commitment === seal && (!cut || proof.cuts.includes(cut)) ? "fits" : "wrong";
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-record]");
  if (!button) return;
  button.disabled = true;
  const counts = { fits: 0, open: 0, wrong: 0 };
  const wrong = one("[data-record-wrong]");
  wrong.replaceChildren();
  for (const deal of deals()) {
    const found = await verdict(deal).catch(() => "open"); // no answer is no verdict
    counts[found] += 1;
    if (found !== "wrong") continue;
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("code"), { textContent: `${deal.game} ${deal.key} ${deal.seal} ${deal.cut}` }));
    wrong.append(item);
  }
  for (const [kind, count] of Object.entries(counts)) one(`[data-count="${kind}"]`).textContent = count;
  const result = one("[data-record-result]");
  result.hidden = false;
  announce(result.textContent.trim().replace(/\s+/g, " "));
  button.disabled = false;
});
