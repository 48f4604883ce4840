/* Timetable of animations: when each card moves, and when the last one has landed. All times are milliseconds. */

const STAGGER = 90; // between two new cards
const PACE = 420; // between two cards that the dealer draws
const RISK = 560; // before one that may bust the dealer
const SAID = 240; // what is said with a card stands before the next one is turned, or the result is shown
const REST = 220; // time for which a deciding card lies face down
const WORD = 80; // from its turn to the result
export const FLIGHT = 260; // from the deck to its place
export const TURN = 320; // to turn a card over
export const MOVE = 200; // a card on the table moves aside
export const STAKE = 220; // a disc goes from the purse to its box
export const AWAY = 220; // a card leaves the table
export const SHUFFLE = 1100;
export const RIFFLE = 420; // start of the riffle within a shuffle

const intervalBetween = (before, card) => {
  if (card.group && card.group === before.group) return 0; // a small hand lands as one
  return before.isSlow ? (card.isRisky ? RISK : PACE) : STAGGER;
};

/* Set the times of each coming card (see `compare`): when it sets out (`at`), is turned (`turnAt`) and has landed (`lies`).
   Returns the time at which results may be shown; 0 if no card comes. */
export function timetable(coming, start = 0) {
  let before = null;
  let landing = 0;
  const [asides, counting] = [true, false].map((aside) => coming.filter((card) => card.isAside === aside));
  const holes = counting.filter((card) => card.isNew && card.isHole);
  for (const card of counting) {
    const next = before ? before.at + intervalBetween(before, card) : start;
    const rest = before?.words && !before.isSlow ? SAID : 0;
    card.at = card.isSlow && !holes.includes(card) ? Math.max(next, landing + rest) : next;
    card.turnAt = card.at;
    card.lies = card.at + (card.isNew ? FLIGHT : TURN);
    landing = Math.max(landing, card.lies);
    before = card;
  }
  // dealt face down, and turned when all others have landed
  for (const card of holes) {
    card.turnAt = landing + (counting.some((each) => each.words && each !== card) ? SAID : 0);
    card.lies = card.turnAt + TURN;
    landing = card.lies;
  }
  if (counting.at(-1)?.words) landing += SAID;
  const last = counting.at(-1);
  if (last?.isNew && last.decides) {
    last.turnAt = last.lies + REST;
    last.lies = last.turnAt + TURN;
    landing = last.lies + WORD;
  }
  // a card that decided nothing is turned after the result
  for (const card of asides) Object.assign(card, { at: landing, turnAt: landing, lies: landing + TURN });
  return landing;
}
