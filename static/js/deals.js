/* The browser's own record of its last deals: the hand, the seal that was shown before it, and the cut that was given. */
const KEPT = "tefuda.deals";
const MOST = 50;

export function deals() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch { // the browser keeps nothing for this site, or something else is in this place
    return [];
  }
}

document.addEventListener("htmx:config:request", ({ target, detail: { ctx } }) => {
  const { seal } = target.dataset;
  if (!seal) return;
  const [game, key] = ctx.request.action.split("/").slice(-3);
  const others = deals().filter((deal) => deal.key !== key);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...others, { game, key, seal, cut: ctx.request.body.get("cut") ?? "" }].slice(-MOST)));
  } catch { /* the same */ }
});
