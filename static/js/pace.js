/* Timetable of animations: when each card moves, and when the last one has landed. All times are milliseconds. */

const STAGGER = 90; // between two new cards
const PACE = 420; // between two cards that the dealer draws
const REST = 220; // time for which a deciding card lies face down
const WORD = 80; // from its turn to the result
export const FLIGHT = 260; // from the deck to its place
export const TURN = 320; // to turn a card over
export const MOVE = 200; // a card on the table moves aside
export const AWAY = 220; // a card leaves the table
export const SHUFFLE = 1100;
export const RIFFLE = 420; // start of the riffle within a shuffle

/* Set the times of each coming card (see `compare`): when it sets out (`at`), is turned (`turnAt`) and has landed (`lies`).
   Returns the time at which results may be shown; 0 if no card comes. */
export function timetable(coming, start = 0) {
  let next = start;
  let landing = 0;
  const [asides, counting] = [true, false].map((aside) => coming.filter((card) => card.isAside === aside));
  for (const card of counting) {
    card.at = card.isSlow && !(card.isNew && card.isHole) ? Math.max(next, landing) : next;
    card.turnAt = card.at;
    card.lies = card.at + (card.isNew ? FLIGHT : TURN);
    next = card.at + (card.isSlow ? PACE : STAGGER);
    landing = Math.max(landing, card.lies);
  }
  // dealt face down, and turned when all others have landed
  for (const card of counting.filter((each) => each.isNew && each.isHole)) {
    card.turnAt = landing;
    card.lies = landing + TURN;
    landing = card.lies;
  }
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
