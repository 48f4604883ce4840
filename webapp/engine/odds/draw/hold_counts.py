"""How many final hands of each line the 32 holds of a hand lead to; what a hold is worth is in ``hold_values``.

The hands that a hold leads to are those that hold the kept cards and none of the others that are known: those thrown
now, and those thrown before. Counted over all sets of known cards by inclusion and exclusion, every number is exact.
A hold is a mask: bit i says that card i of the hand, in the order in which it was dealt, is kept.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np

from webapp.engine.cards import JOKER as JOKER_CARD
from webapp.engine.cards import STANDARD_DECK, Card
from webapp.engine.odds.draw.final_hands.lines import line_number
from webapp.engine.odds.draw.final_hands.subsets import CHOOSE_ARRAY, HAND, number_of, set_number
from webapp.engine.odds.draw.final_hands.tables import COLUMNS, LineTables

Array = Any

ALL: Final = (1 << HAND) - 1
HOLDS: Final = range(ALL + 1)
KEPT: Final = tuple(mask.bit_count() for mask in HOLDS)
PAIRS: Final = tuple((mask, mask | bit) for bit in (1, 2, 4, 8, 16) for mask in HOLDS if not mask & bit)
"""Each mask and the one with another bit, bit by bit: to take larger sets out in place."""

_CARDS: Final = {number_of(card): card for card in (*STANDARD_DECK, JOKER_CARD)}


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
                rows[row, line_of(tuple(_CARDS[card] for card in cards))] = 1
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
