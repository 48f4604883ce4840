"""Final hands of five, for all hands of a deck at once: the line of a pay table of each, and counts by the cards held.

A card is a number: four times its rank from the two, and its suit; the joker is 52. A set of k cards, in ascending
order, is number ``sum(CHOOSE[card][place])`` with places from 1 among the sets of its size (the combinatorial number
system). So all sets with the same greatest card stand in one block, in the order of the sets of the cards below it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Final

import numpy as np

from webapp.engine.cards import JOKER, RANKS, SUITS, Card, Rank
from webapp.engine.odds.value import Arrays, TableStore
from webapp.engine.poker.pay_tables import PayTable

Array = Any

HAND: Final = 5
JOKER_NUMBER: Final = 52
CHOOSE: Final = tuple(tuple(comb(card, place) for place in range(HAND + 1)) for card in range(JOKER_NUMBER + 2))
CHOOSE_ARRAY: Final = np.array(CHOOSE, np.int64)


def number_of(card: Card) -> int:
    """Return the number of a card."""
    return JOKER_NUMBER if card.is_joker else 4 * (card.rank - 2) + card.suit.bit_length() - 1


def set_number(cards: Iterable[int]) -> int:
    """Return the number of a set of cards among the sets of its size."""
    return sum(CHOOSE[card][place] for place, card in enumerate(sorted(cards), 1))


def without(size: int, deck: int) -> list[Array]:
    """Return the number that each set of ``size`` cards has without its first, second, ... card: int64[sets] each."""
    if size == 1:
        return [np.zeros(deck, np.int64)]
    smaller = without(size - 1, deck)
    inner = [
        np.concatenate([CHOOSE[card][size - 1] + numbers[: CHOOSE[card][size - 1]] for card in range(deck)])
        for numbers in smaller
    ]
    return [*inner, np.concatenate([np.arange(CHOOSE[card][size - 1]) for card in range(deck)])]


def sums_over_larger(values: Array, size: int, deck: int) -> Array:
    """Return, for every set of ``size - 1`` cards, the sum of the values of all sets of ``size`` that hold it.

    ``values`` is int64[sets, columns] or float64[sets, columns]; sums of integers are exact below 2**53.
    """
    sums = np.zeros((comb(deck, size - 1), values.shape[1]))
    for numbers in without(size, deck):
        for column in range(values.shape[1]):
            sums[:, column] += np.bincount(numbers, values[:, column], len(sums))
    return sums.astype(values.dtype)


_SLOTS: Final = len(RANKS) + 1
_JOKER_SLOT: Final = len(RANKS)


def line_number(pay_table: PayTable) -> Callable[[tuple[Card, ...]], int]:
    """Return a function for the number of the line that five cards are on: from 1, and 0 for none."""
    numbers = {line.code: number for number, line in enumerate(pay_table.lines, 1)}

    def of(cards: tuple[Card, ...]) -> int:
        line = pay_table.line_of(cards)
        return numbers[line.code] if line else 0

    return of


class HandLines:
    """Numbers of lines for all hands, block by block: the hands whose greatest card is the same."""

    def __init__(self, pay_table: PayTable, deck: int) -> None:
        self.deck = deck
        self._wild = _slot_of(pay_table.wild)
        self._by_ranks = _lines_by_ranks(pay_table)
        self._ranks, self._suits = np.zeros(1, np.int32), np.full(1, 15, np.uint8)
        for place in range(HAND - 1):
            counts = [CHOOSE[card][place] for card in range(deck)]
            self._ranks, self._suits = (
                np.concatenate([self._ranks[: counts[c]] + _slot(c) * _SLOTS**place for c in range(deck)]),
                np.concatenate([self._suits[: counts[c]] & self._suit(c) for c in range(deck)]),
            )

    def block(self, greatest: int) -> Array:
        """Return the lines of all hands with this greatest card, in the order of their four other cards."""
        count = CHOOSE[greatest][HAND - 1]
        ranks = self._ranks[:count] + _slot(greatest) * _SLOTS ** (HAND - 1)
        suited = (self._suits[:count] & self._suit(greatest)) > 0
        return self._by_ranks[suited.view(np.uint8), ranks]

    def all(self) -> Array:
        """Return the lines of all hands: uint8[hands]."""
        return np.concatenate([self.block(card) for card in range(self.deck)])

    def _suit(self, card: int) -> int:
        return 15 if _slot(card) == self._wild else 1 << card % 4


def _slot(card: int) -> int:
    return card // 4


def _slot_of(rank: Rank) -> int:
    return _JOKER_SLOT if rank is Rank.JOKER else RANKS.index(rank)


def _lines_by_ranks(pay_table: PayTable) -> Array:
    """Return lines by the ranks of a hand in ascending order, for hands of several suits and of one: uint8[2, ...]."""
    lines = np.zeros((2, _SLOTS**HAND), np.uint8)
    line_of, wild = line_number(pay_table), _slot_of(pay_table.wild)
    for slots in combinations_with_replacement(range(_SLOTS), HAND):
        if slots[0] == slots[4] or slots.count(_JOKER_SLOT) > (wild == _JOKER_SLOT):
            continue
        ranks = sum(slot * _SLOTS**place for place, slot in enumerate(slots))
        tame = [slot for slot in slots if slot != wild]
        for suited in range(2 if len(set(tame)) == len(tame) else 1):
            lines[suited, ranks] = line_of(tuple(_example(slots, wild, bool(suited))))
    return lines


def _example(slots: tuple[int, ...], wild: int, suited: bool) -> Iterator[Card]:
    """Yield cards of these ranks, in one suit or in several, whatever suits the wild ones have."""
    first = next(place for place, slot in enumerate(slots) if slot != wild)
    for place, slot in enumerate(slots):
        if slot == _JOKER_SLOT:
            yield JOKER
        else:
            odd_one = place == first and slot not in slots[first + 1 :]
            suit = 0 if suited else (slots[:place].count(slot) + odd_one) % len(SUITS)
            yield Card(RANKS[slot], SUITS[suit])


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
        self.sums = [memoryview(_sums(counts, pay_table)) for counts in self.counts]

    @classmethod
    def of(cls, pay_table: PayTable, jokers: int, store: TableStore) -> "LineTables":
        """Return the tables from the store, which builds them if need be."""
        return _opened(pay_table, jokers, store)  # type: ignore[arg-type]  # a store is one of its own


@lru_cache(maxsize=8)
def _opened(pay_table: PayTable, jokers: int, store: TableStore) -> LineTables:
    """Remember the tables that were used last: their sums, of two megabytes, are not stored."""
    deck, name = JOKER_NUMBER + jokers, f"{name_of(pay_table, jokers)}.lines"
    return LineTables(pay_table, deck, store.tables(name, lambda: build(pay_table, deck)))


def _sums(counts: Array, pay_table: PayTable) -> Array:
    """Return what all hands that hold each set pay together: int64[sets]."""
    sums = np.zeros(len(counts), np.int64)
    for number, line in enumerate(pay_table.lines, 1):
        sums += counts[:, number].astype(np.int64) * line.pays
    return sums


def name_of(pay_table: PayTable, jokers: int) -> str:
    """Return a name for what is counted for a pay table: own ones that differ only in what they pay share it."""
    lines = tuple(replace(line, pays=0) for line in pay_table.lines)
    digest = hashlib.sha256(repr((lines, pay_table.wild, jokers)).encode()).hexdigest()
    return f"draw-2-{digest[:16]}"


def build(pay_table: PayTable, deck: int) -> Arrays:
    """Compute the tables."""
    used = len(pay_table.lines) + 1
    counts = [_counts_of_four(HandLines(pay_table, deck))]
    for size in range(HAND - 1, 0, -1):
        smaller = np.zeros((CHOOSE[deck][size - 1], COLUMNS), np.int64)
        smaller[:, :used] = sums_over_larger(counts[0][:, :used].astype(np.int64), size, deck) // (HAND - size + 1)
        counts.insert(0, smaller)
    return {f"counts-{size}": counts[size].astype(_TYPES[size]) for size in range(HAND)}


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
