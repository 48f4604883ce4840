"""How many final hands of each line the 32 holds of a hand lead to, and what they pay together.

The hands that a hold leads to are those that hold the kept cards and none of the others that are known: those thrown
now, and those thrown before. Counted over all sets of known cards by inclusion and exclusion, every number is exact.
A hold is a mask: bit i says that card i of the hand, in the order in which it was dealt, is kept.

What the hands pay together is summed without counting the lines, which takes a tenth of the time (`make bench
PARTS=odds`): sums over sets of cards are looked up, and those of the thrown cards are taken out of them.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from operator import itemgetter
from typing import Any, Final

import numpy as np

from webapp.engine.cards import JOKER as JOKER_CARD
from webapp.engine.cards import STANDARD_DECK, Card
from webapp.engine.odds.draw.final_hands import (
    CHOOSE,
    CHOOSE_ARRAY,
    COLUMNS,
    HAND,
    LineTables,
    line_number,
    number_of,
    set_number,
)

Array = Any

ALL: Final = (1 << HAND) - 1
HOLDS: Final = range(ALL + 1)
KEPT: Final = tuple(mask.bit_count() for mask in HOLDS)
PAIRS: Final = tuple((mask, mask | bit) for bit in (1, 2, 4, 8, 16) for mask in HOLDS if not mask & bit)
"""Each mask and the one with another bit, bit by bit: to take larger sets out in place."""

CARDS: Final = {number_of(card): card for card in (*STANDARD_DECK, JOKER_CARD)}


def draws(deck: int, dead: int = 0) -> tuple[int, ...]:
    """Return how many hands each hold can lead to, if a number of cards besides the hand are known to be gone."""
    return tuple(comb(deck - HAND - dead, HAND - kept) for kept in KEPT)


def hold_counts(tables: LineTables, hand: Sequence[Card], dead: Sequence[Card] = ()) -> Array:
    """Return how many of the hands that each hold can lead to are on each line: int64[32, lines].

    Line 0 is no line at all. ``dead``: cards thrown in earlier exchanges.
    """
    numbers = [number_of(card) for card in (*hand, *dead)]
    groups, signs = _known_sets(len(numbers))
    line_of = line_number(tables.pay_table)
    rows = np.zeros((signs.shape[1], COLUMNS), np.int64)
    start = 0
    for size, group in enumerate(groups):
        for row, places in enumerate(group, start):
            cards = [numbers[place] for place in places]
            if size < HAND:
                rows[row] = tables.counts[size][set_number(cards)]
            else:
                rows[row, line_of(tuple(CARDS[card] for card in cards))] = 1
        start += len(group)
    return (signs @ rows)[:, : len(tables.pay_table.lines) + 1]


@lru_cache(maxsize=16)
def _known_sets(known: int) -> tuple[list[list[tuple[int, ...]]], Array]:
    """Return all sets of up to five of the known cards, and the sign of each in each hold of the first five.

    The sign is 0 for a set without one of the kept cards; else 1 if the number of its other cards is even, -1 if odd.
    """
    groups = [list(combinations(range(known), size)) for size in range(HAND + 1)]
    masks = np.array([sum(1 << place for place in places) for group in groups for places in group], np.int64)
    sizes = np.array([size for size, group in enumerate(groups) for _ in group], np.int64)
    holds = np.arange(len(HOLDS), dtype=np.int64)[:, None]
    signs = np.where((sizes - np.array(KEPT)[:, None]) % 2, -1, 1)
    return groups, np.where(masks & holds == holds, signs, 0)


def hold_counts_of_many(tables: LineTables, hands: Array, lines: Array) -> Array:
    """Return ``hold_counts`` of many hands: int32[32, hands, COLUMNS].

    ``hands`` are int[hands, 5] in ascending order, and masks are over the cards in this order; ``lines`` has the line
    that each hand itself is on.
    """
    choose = CHOOSE_ARRAY[hands]
    counts = np.zeros((len(HOLDS), len(hands), COLUMNS), np.int32)
    for mask in HOLDS[:-1]:
        places = [place for place in range(HAND) if mask >> place & 1]
        numbers = np.zeros(len(hands), np.int64)
        for size, place in enumerate(places, 1):
            numbers += choose[:, place, size]
        counts[mask] = tables.counts[len(places)][numbers]
    counts[ALL, np.arange(len(hands)), lines] = 1
    for mask, larger in PAIRS:
        counts[mask] -= counts[larger]
    return counts


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
