/* Shows the odds of a decision in a sheet over the table. They are loaded from the odds desk, to which the link leads
   without scripts, in a new tab, or if they cannot be loaded here. */
import { later, one } from "./common.js";

const AGAIN = 1000;
const MOST = 10; // attempts while the odds are being computed; afterwards the link to the odds desk is shown

function made(name, className, text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

function style(address) {
  if (one(`link[href="${CSS.escape(address)}"]`)) return Promise.resolve();
  return new Promise((done) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address, onload: done, onerror: done });
    document.head.append(link);
  });
}

async function odds(address, isOpen) {
  for (let time = 0; time < MOST && isOpen(); time += 1) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (answer.status !== 202) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      return answer.ok ? one(".odds", page) : null;
    }
    await later(AGAIN);
  }
  return null;
}

export async function explain(link) {
  const sheet = made("dialog", "sheet why");
  const body = made("div", "why__body");
  const wait = made("progress", "odds__wait");
  const foot = made("div", "sheet__row");
  const desk = Object.assign(made("a", "sheet__item", link.dataset.desk), { href: link.href });
  const close = Object.assign(made("button", "sheet__item", link.dataset.close), { type: "button" });
  sheet.id = "why";
  wait.setAttribute("aria-label", link.dataset.wait);
  sheet.setAttribute("aria-label", link.textContent.trim());
  body.append(wait);
  foot.append(desk, close);
  sheet.append(body, foot);
  sheet.addEventListener("close", () => {
    sheet.remove();
    if (link.isConnected) link.focus({ preventScroll: true });
  });
  sheet.addEventListener("click", (event) => { if (event.target === sheet || event.target === close) sheet.close(); });
  document.body.append(sheet);
  sheet.showModal();
  close.focus({ preventScroll: true });
  const isOpen = () => sheet.open;
  const found = await Promise.all([odds(link.href, isOpen), style(link.dataset.style)]).then(([told]) => told, () => null);
  if (!isOpen()) return;
  if (!found) {
    location.assign(link.href);
    return;
  }
  sheet.setAttribute("aria-labelledby", "worth");
  body.tabIndex = 0; // so that the arrow keys scroll it
  body.replaceChildren(found);
}
