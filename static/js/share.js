/* Share buttons: the system's share dialog, otherwise a copy to the clipboard, otherwise the address to be copied by
   hand. And buttons that copy what is in a field. */
import { announce, later, one } from "./common.js";

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("not copied");
}

/* A text is shared with its address: many targets drop the title. */
async function share(link) {
  const url = new URL(link.dataset.share, location.href).href;
  const { title, text } = link.dataset;
  try {
    if (navigator.share) return await navigator.share({ title, url, ...(text && { text }) });
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  try {
    await copy(text ? `${text} ${url}` : url);
  } catch {
    prompt(link.textContent.trim(), url); // to be copied by hand
    return;
  }
  showCopied(link);
}

async function showCopied(button) {
  const words = one("[data-share-text]", button);
  const said = words.textContent;
  if (said === button.dataset.copied) return;
  words.textContent = button.dataset.copied;
  announce(button.dataset.copied);
  await later(2000);
  words.textContent = said;
}

async function copyField(button) {
  const field = document.getElementById(button.dataset.copy);
  try {
    await copy(field.value);
    showCopied(button);
  } catch {
    field.select(); // to be copied by hand
  }
}

/* The HTML to embed a hand opens below what is seen of it. */
document.addEventListener("toggle", ({ target }) => target.id === "embed" && target.scrollIntoView({ block: "nearest" }), true);

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyField(button);
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  share(link);
});
