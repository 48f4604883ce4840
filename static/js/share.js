/* Share buttons: the system's share dialog, otherwise a copy to the clipboard, otherwise the address to be copied by
   hand. */
import { announce, later, one } from "./common.js";

export async function copy(text) {
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

/* A text is shared with its address: many targets drop the title. What was chosen in a sheet closes it. */
export async function share(link) {
  await handOn(link);
  link.closest("[popover]")?.hidePopover();
}

async function handOn(link) {
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
  await showCopied(link);
}

export async function showCopied(button) {
  const words = one("[data-share-text]", button);
  const said = words.textContent;
  if (said === button.dataset.copied) return;
  words.textContent = button.dataset.copied;
  announce(button.dataset.copied);
  await later(2000);
  words.textContent = said;
}
