"""What all hands that each of the 32 holds can lead to pay together: the fast way to price a hand.

Sums over sets of cards are looked up, and those of the thrown cards are taken out of them, all in whole numbers. How
many hands of each line a hold leads to is counted in ``hold_counts``, which takes ten times as long (`make bench
PARTS=odds`).
"""

from collections.abc import Callable, Sequence
from itertools import permutations
from operator import itemgetter
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.odds.draw.final_hands.subsets import CHOOSE, HAND, number_of
from webapp.engine.odds.draw.final_hands.tables import LineTables
from webapp.engine.odds.draw.hold_counts import HOLDS, PAIRS


def _to_dealt_order(order: tuple[int, ...]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """Return how to take masks over sorted cards in the order of masks over dealt ones; ``order`` sorts them."""
    place = [order.index(card) for card in range(HAND)]
    return itemgetter(*(sum(1 << place[card] for card in range(HAND) if mask >> card & 1) for mask in HOLDS))


_DEALT_ORDER: Final = {order: _to_dealt_order(order) for order in permutations(range(HAND))}


def hold_sums(tables: LineTables, hand: Sequence[Card]) -> tuple[int, ...]:
    """Return, for each hold of five cards, what all hands that it can lead to pay together.

    Divided by ``draws`` this is the average of each hold.
    """
    numbers = [number_of(card) for card in hand]
    p, q, r, s, t = sorted(range(HAND), key=numbers.__getitem__)
    a, b, c, d, e = CHOOSE[numbers[p]], CHOOSE[numbers[q]], CHOOSE[numbers[r]], CHOOSE[numbers[s]], CHOOSE[numbers[t]]
    pays = tables.pay_table.pays(hand)
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
