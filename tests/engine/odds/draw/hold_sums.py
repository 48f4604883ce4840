"""A second way to price the holds of a hand: whole sums of pay, taken from each other, without the lines."""

from collections.abc import Callable, Sequence
from itertools import permutations
from operator import itemgetter
from typing import Final

from webapp.engine.odds.draw.final_hands.subsets import CHOOSE, HAND
from webapp.engine.odds.draw.final_hands.tables import LineTables
from webapp.engine.odds.draw.hold_counts import HOLDS, PAIRS


def _to_dealt_order(order: tuple[int, ...]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """Return how to take masks over sorted cards in the order of masks over dealt ones; ``order`` sorts them."""
    place = [order.index(card) for card in range(HAND)]
    return itemgetter(*(sum(1 << place[card] for card in range(HAND) if mask >> card & 1) for mask in HOLDS))


_DEALT_ORDER: Final = {order: _to_dealt_order(order) for order in permutations(range(HAND))}


def hold_sums(tables: LineTables, hand: Sequence[int], pays: int) -> tuple[int, ...]:
    """Return, for each hold of five numbers of cards, what all hands it can lead to pay together.

    ``pays`` is what the hand as it stands pays. Divided by ``draws`` this is the average of each hold.
    """
    order = sorted(range(HAND), key=hand.__getitem__)
    p, q, r, s, t = order
    a, b, c, d, e = CHOOSE[hand[p]], CHOOSE[hand[q]], CHOOSE[hand[r]], CHOOSE[hand[s]], CHOOSE[hand[t]]
    none, ones, twos, threes, fours = tables.sums
    a1, b1, c1, d1, e1 = a[1], b[1], c[1], d[1], e[1]
    b2, c2, d2, e2 = b[2], c[2], d[2], e[2]
    c3, d3, e3 = c[3], d[3], e[3]
    d4, e4 = d[4], e[4]
    ab, ac, bc, de = a1 + b2, a1 + c2, b1 + c2, d3 + e4
    sums = [
        *(none[0], ones[a1], ones[b1], twos[ab], ones[c1], twos[ac], twos[bc], threes[ab + c3]),
        *(ones[d1], twos[a1 + d2], twos[b1 + d2], threes[ab + d3]),
        *(twos[c1 + d2], threes[ac + d3], threes[bc + d3], fours[ab + c3 + d4]),
        *(ones[e1], twos[a1 + e2], twos[b1 + e2], threes[ab + e3]),
        *(twos[c1 + e2], threes[ac + e3], threes[bc + e3], fours[ab + c3 + e4]),
        *(twos[d1 + e2], threes[a1 + d2 + e3], threes[b1 + d2 + e3], fours[ab + de]),
        *(threes[c1 + d2 + e3], fours[ac + de], fours[bc + de], pays),
    ]
    for mask, larger in PAIRS:
        sums[mask] -= sums[larger]
    return _DEALT_ORDER[p, q, r, s, t](sums)
