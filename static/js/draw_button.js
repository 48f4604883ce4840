/* The draw button of poker: it shows how many cards it draws, is gold when drawing is the main action, and is guarded
   (guard.js) when it would give up a full house or better. When five paying cards are held, a button that keeps them
   replaces it. */
import { all, one } from "./common.js";
import { guard } from "./guard.js";

function countHolds() {
  const button = one("[data-draw]");
  if (!button) return;
  const held = all("[data-mark]:checked").map((mark) => mark.value);
  const row = button.closest("[data-keeps]");
  const draws = held.length > 0 && held.length < 5;
  if (row && button.matches(".btn--primary") !== draws) changeRoles(row);
  const draw = one("[data-draw]");
  draw.toggleAttribute("data-idle", row !== null && held.length === 5);
  const price = one("[data-gives-up]", draw);
  const short = draw.dataset.making.split(" ").some((place) => place && !held.includes(place));
  if (price) price.hidden = !short;
  guard(draw, short, draw.getAttribute(`data-draw-${held.length}`));
}

/* The main action, drawing or keeping, is gold, at the right, and pressed by Enter. The two buttons keep their places and the
   focus, and exchange their functions. */
function changeRoles(row) {
  const [left, gold] = all("button", row);
  const own = ["class", "type", "aria-keyshortcuts", "data-focus"];
  const roles = [left, gold].map((button) => ({
    attributes: Array.from(button.attributes).filter(({ name }) => !own.includes(name)).map(({ name, value }) => [name, value]),
    content: Array.from(button.childNodes),
  }));
  for (const [button, was, becomes] of [[left, roles[0], roles[1]], [gold, roles[1], roles[0]]]) {
    was.attributes.forEach(([name]) => button.removeAttribute(name));
    becomes.attributes.forEach(([name, value]) => button.setAttribute(name, value));
    button.replaceChildren(...becomes.content);
    const key = button.matches("[data-draw]") ? "X" : "S";
    button.setAttribute("aria-keyshortcuts", button === gold ? `Enter Space ${key}` : key);
    one(".key", button).textContent = button === gold ? "Enter" : key;
  }
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-mark]")) countHolds(); });
document.addEventListener("wake", countHolds);
countHolds();
