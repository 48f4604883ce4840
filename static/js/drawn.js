/* In a drill the button says how many cards it draws, as in the game. Without a script it only says that it draws. */
import { all, one } from "./common.js";

function show() {
  const words = one("[data-drawn]");
  const said = words?.getAttribute(`data-draw-${all("[data-mark]:checked").length}`);
  if (said) words.textContent = said;
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-mark]")) show(); });
show();
