/* When each card moves, and when the last one lies there: the one place that knows. Times are milliseconds. */

const STAGGER = 90; // from one new card to the next
const PACE = 420; // from one of the dealer's own cards to the next
const REST = 220; // a card that decides lies face down
const WORD = 80; // from such a card to what it made
export const FLIGHT = 260; // from the deck to its place
export const TURN = 320; // to turn a card over
export const MOVE = 200; // cards that lie there make room
export const AWAY = 220; // a card leaves the table
export const SHUFFLE = 1100;
export const RIFFLE = 420; // the halves of a shuffled packet begin to run together

/* Give each coming card (see `compare`) its times: `at` it sets out, `turnAt` it is turned, `lies` it lies there. Returns
   when it may be told what came of them; 0 where no card comes. */
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
  // dealt face down in its place, and turned when all others lie there
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
  // what decided nothing is turned over after the word
  for (const card of asides) Object.assign(card, { at: landing, turnAt: landing, lies: landing + TURN });
  return landing;
}
