/* The HTML to embed a hand: it unfolds below what is seen of the page, which follows; and the button that copies it. */
import { copy, showCopied } from "./share.js";

document.addEventListener("toggle", ({ target }) => target.id === "embed" && target.scrollIntoView({ block: "nearest" }), true);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  try {
    await copy(field.value);
    showCopied(button);
  } catch {
    field.select(); // to be copied by hand
  }
});
