/* Bet chips: a tap on a chip adds it to the bet, a tap on a stack removes the last chip, and the pay table shows what
   this bet would pay. The bets are the fields of the form that deals; without scripts they are typed in. */
import { all, one } from "./common.js";

const CHIPS = [500, 100, 50, 25, 10, 5, 1];
const TALLEST = 6; // maximum number of chips drawn in a stack
const MOST_SAID = 1e7; // for larger bets only the multiples are shown
const LONG = 500; // milliseconds after which a press on a stack clears it

/* The largest chip that an amount contains; as the macro `disc` of the server does. */
export const chipOf = (chips) => CHIPS.find((chip) => chip <= chips) ?? 1;

/* Input methods for Chinese and Japanese write digits in full width, which the server reads as well. */
const amount = (field) => {
  const digits = field.value.normalize("NFKC");
  return /^[1-9][0-9]*$/.test(digits) ? Number(digits) : 0;
};
const added = new Map(); // by id of a field: the chips that were added, one by one
let fitted = new WeakMap(); // fields, with the number whose font size was fitted
let chosen = ""; // the id of the field to which chips are added

function stake() {
  const fields = all("[data-stake]");
  return fields.find((field) => field.id === chosen) || fields.find(amount) || fields[0];
}

/* The highest bet of a field: with several boxes, what table and purse allow besides the others. */
function mostOn(field) {
  const { purse, most } = one("[data-purse]")?.dataset ?? {};
  if (purse === undefined) return Number(one("[data-bet][aria-keyshortcuts=M]")?.dataset.bet ?? Infinity);
  const others = all("[data-stake]").reduce((sum, each) => (each === field ? sum : sum + amount(each)), 0);
  return Math.max(0, Math.min(Number(most), Number(purse) - others));
}

/* The chips of a bet: those that were added, if they are known, otherwise as few as possible; the last `most` of them. */
function chipsOf(field, most = TALLEST) {
  const own = added.get(field.id) ?? [];
  let left = amount(field);
  if (own.length && own.reduce((sum, chip) => sum + chip, 0) === left) return own.slice(-most);
  const chips = [];
  for (const chip of CHIPS) {
    const count = Math.floor(left / chip);
    for (let n = 0; n < Math.min(count, most); n += 1) chips.push(chip);
    left -= count * chip;
  }
  return chips.slice(-most);
}

/* Record the chips that were added, so that the last one can be removed. */
function put(field, ...chips) {
  const before = amount(field);
  const value = Math.min(chips.reduce((sum, chip) => sum + chip, before), mostOn(field));
  if (value <= before) return;
  added.set(field.id, [...chipsOf(field, 100), ...chips]); // ignored if their sum is not the bet
  bet(field, String(value));
}

function takeBack(field) {
  const chips = chipsOf(field, 100);
  if (!chips.length) return;
  const last = chips.at(-1);
  added.set(field.id, chips.slice(0, -1));
  bet(field, String(amount(field) - last || ""));
}

function clear(field) {
  added.delete(field.id);
  bet(field, "");
}

/* A closed box has a button that opens it with the same bet again, an open one has its stack. */
function showBox(box) {
  const field = one("[data-stake]", box);
  const closed = field.value === "";
  box.classList.toggle("stake--closed", closed);
  box.classList.toggle("stake--on", all("[data-box]:not(.stake--closed)").length > 1 && field === stake());
}

function showStack(stack) {
  const field = document.getElementById(stack.dataset.stack);
  if (!field) return;
  const chips = chipsOf(field).map((chip) => {
    const disc = document.createElement("i");
    disc.className = `stack__chip chip--${chipOf(chip)}`;
    return disc;
  });
  one("[data-chips]", stack).replaceChildren(...chips);
  stack.classList.toggle("stack--none", !chips.length);
  const said = one("[data-said]", stack);
  if (said) said.textContent = amount(field) ? amount(field).toLocaleString(document.documentElement.lang) : "";
}

/* Reduce the font size of a number that does not fit: "1.", the beginning of "1.000", would be another bet. Each number is
   measured once, because that costs a layout. */
function fit() {
  for (const field of all("[data-stake]")) {
    if (fitted.get(field) === field.value) continue;
    fitted.set(field, field.value);
    field.style.fontSize = "";
    for (let size = parseFloat(getComputedStyle(field).fontSize); field.scrollWidth > field.clientWidth && size > 8; size -= 1) {
      field.style.fontSize = `${size - 1}px`;
    }
  }
}

/* Of games in which several hands may be drawn from one hold. */
const loadLines = () => { if (one("[data-lines]")?.value > 1) import("./lines.js"); };

function showBet() {
  const field = stake();
  if (!field) return;
  loadLines();
  all("[data-box]").forEach(showBox);
  fit();
  for (const each of all("[data-stake]")) each.ariaInvalid = amount(each) > mostOn(each);
  all("[data-stack]").forEach(showStack);
  const paid = one("[data-paid-for]");
  // a result lies there with what its bet was paid, until another bet is chosen
  if (paid && amount(field) !== Number(field.defaultValue)) delete paid.dataset.paidFor;
  const value = Number(paid?.dataset.paidFor) || amount(field);
  const lines = all("[data-pays]");
  const coins = value && field.ariaInvalid === "false" && lines.every((line) => value * line.dataset.pays < MOST_SAID);
  for (const line of lines) {
    const pays = Number(line.dataset.pays);
    line.textContent = coins ? (value * pays).toLocaleString(document.documentElement.lang) : `×${pays.toLocaleString(document.documentElement.lang)}`;
  }
}

function bet(field, value) {
  field.value = value;
  chosen = value ? field.id : "";
  showBet();
}

document.addEventListener("change", loadLines);
document.addEventListener("input", (event) => { if (event.target.matches("[data-stake]")) showBet(); });
document.addEventListener("focusin", (event) => {
  if (!event.target.matches("[data-stake]")) return;
  chosen = event.target.id;
  showBet();
});
window.addEventListener("resize", () => { fitted = new WeakMap(); showBet(); });

/* A long press clears a stack; the click that ends it removes no chip. */
let pressing = 0;
let cleared = false;
document.addEventListener("pointerdown", (event) => {
  cleared = false;
  const stack = event.target.closest("[data-stack]");
  if (!stack) return;
  pressing = setTimeout(() => {
    cleared = true;
    clear(document.getElementById(stack.dataset.stack));
  }, LONG);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(pressing));
document.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-stack]")) event.preventDefault(); });

const fieldOf = (button) => {
  if (button.dataset.stack) return document.getElementById(button.dataset.stack);
  return button.matches("[data-again]") ? one("[data-stake]", button.closest("[data-box]")) : stake();
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-chip], [data-twice], [data-bet], [data-again], [data-stack]");
  if (!button || cleared) return;
  const field = fieldOf(button);
  if (!field) return;
  if (button.matches("[data-chip]")) put(field, Number(button.dataset.chip));
  else if (button.matches("[data-twice]")) put(field, ...chipsOf(field, 100));
  else if (button.matches("[data-bet]")) bet(field, button.dataset.bet === "max" ? String(mostOn(field)) : button.dataset.bet);
  else if (button.matches("[data-again]")) bet(field, button.dataset.again);
  else takeBack(field);
});

for (const kind of ["swapped", "wake"]) document.addEventListener(kind, showBet); // before the new state is painted
showBet();
