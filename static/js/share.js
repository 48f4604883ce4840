/* Share buttons: the system's share dialog, otherwise a copy to the clipboard, otherwise the plain link. */
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

async function share(link) {
  const url = new URL(link.dataset.share, location.href).href;
  try {
    if (navigator.share) return await navigator.share({ title: link.dataset.title, url });
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  try {
    await copy(url);
  } catch {
    location.assign(url);
    return;
  }
  const text = one("[data-share-text]", link);
  const said = text.textContent;
  if (said === link.dataset.copied) return;
  text.textContent = link.dataset.copied;
  announce(link.dataset.copied);
  await later(2000);
  text.textContent = said;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  share(link);
});
