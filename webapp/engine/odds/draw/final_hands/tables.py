"""Counts of the final hands of each line that hold a set of cards: tables of a pay table, computed once."""

import hashlib
from typing import Any, Final

import numpy as np

from webapp.engine.odds.draw.final_hands.lines import HandLines
from webapp.engine.odds.draw.final_hands.subsets import CHOOSE, HAND, JOKER, sums_over_larger, without
from webapp.engine.odds.value import Arrays, TableStore
from webapp.engine.poker.pay_tables import PayTable

Array = Any

COLUMNS: Final = 16
"""Room for the lines of a pay table, and for no line at all."""
_TYPES: Final = (np.uint32, np.uint32, np.uint16, np.uint16, np.uint8)


class LineTables:
    """Tables of a pay table and a deck.

    ``counts[k][set, line]``: how many hands of five that hold this set of k cards are on the line; ``sums[k][set]``:
    what all these hands pay together. Both for k from 0 to 4.
    """

    def __init__(self, pay_table: PayTable, deck: int, arrays: Arrays) -> None:
        self.pay_table = pay_table
        self.deck = deck
        self.counts: list[Array] = [arrays[f"counts-{size}"] for size in range(HAND)]
        self.sums = [memoryview(arrays[f"sums-{size}"]) for size in range(HAND)]

    @classmethod
    def of(cls, pay_table: PayTable, jokers: int, store: TableStore) -> "LineTables":
        """Return the tables from the store, which builds them if need be."""
        deck = JOKER + jokers
        return cls(pay_table, deck, store.tables(f"{name_of(pay_table, jokers)}.lines", lambda: build(pay_table, deck)))


def name_of(pay_table: PayTable, jokers: int) -> str:
    """Return a name for all that is computed for a pay table, which changes when the pay table does."""
    digest = hashlib.sha256(repr((pay_table.lines, jokers)).encode()).hexdigest()
    return f"draw-1-{digest[:16]}"


def build(pay_table: PayTable, deck: int) -> Arrays:
    """Compute the tables."""
    used = len(pay_table.lines) + 1
    counts = [_counts_of_four(HandLines(pay_table, deck))]
    for size in range(HAND - 1, 0, -1):
        smaller = np.zeros((CHOOSE[deck][size - 1], COLUMNS), np.int64)
        smaller[:, :used] = sums_over_larger(counts[0][:, :used].astype(np.int64), size, deck) // (HAND - size + 1)
        counts.insert(0, smaller)
    pays = np.array([0, *(line.pays for line in pay_table.lines)], np.int64)
    arrays = {f"counts-{size}": counts[size].astype(_TYPES[size]) for size in range(HAND)}
    sums = {f"sums-{size}": counts[size][:, :used].astype(np.int64) @ pays for size in range(HAND)}
    return arrays | sums


def _counts_of_four(lines: HandLines) -> Array:
    """Return how many hands of each line hold four cards: uint8[sets, COLUMNS]."""
    deck = lines.deck
    counts = np.zeros((CHOOSE[deck][4], COLUMNS), np.uint8)
    drops = [numbers * COLUMNS for numbers in without(4, deck)]
    for card in range(HAND - 1, deck):
        block, below, threes = lines.block(card).astype(np.int64), CHOOSE[card][4], CHOOSE[card][3]
        places = np.arange(below)
        counts[places, block] += 1
        held = np.zeros(threes * COLUMNS, np.int64)
        for numbers in drops:
            held += np.bincount(numbers[:below] + block, minlength=threes * COLUMNS)
        counts[below : below + threes] += held.reshape(threes, COLUMNS).astype(np.uint8)
    return counts
