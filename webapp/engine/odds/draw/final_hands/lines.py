"""The line of a pay table that each hand of five is on, for all hands of a deck at once."""

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from webapp.engine.cards import JOKER, RANKS, SUITS, Card
from webapp.engine.odds.draw.final_hands.subsets import CHOOSE, HAND
from webapp.engine.poker.pay_tables import PayTable

Array = Any

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
        self._by_ranks = _lines_by_ranks(pay_table)
        self._ranks, self._suits = np.zeros(1, np.int32), np.full(1, 15, np.uint8)
        for place in range(HAND - 1):
            counts = [CHOOSE[card][place] for card in range(deck)]
            self._ranks, self._suits = (
                np.concatenate([self._ranks[: counts[c]] + _slot(c) * _SLOTS**place for c in range(deck)]),
                np.concatenate([self._suits[: counts[c]] & _suit(c) for c in range(deck)]),
            )

    def block(self, greatest: int) -> Array:
        """Return the lines of all hands with this greatest card, in the order of their four other cards."""
        count = CHOOSE[greatest][HAND - 1]
        ranks = self._ranks[:count] + _slot(greatest) * _SLOTS ** (HAND - 1)
        suited = (self._suits[:count] & _suit(greatest)) > 0
        return self._by_ranks[suited.view(np.uint8), ranks]

    def all(self) -> Array:
        """Return the lines of all hands: uint8[hands]."""
        return np.concatenate([self.block(card) for card in range(self.deck)])


def _slot(card: int) -> int:
    return card // 4


def _suit(card: int) -> int:
    return 15 if _slot(card) == _JOKER_SLOT else 1 << card % 4


def _lines_by_ranks(pay_table: PayTable) -> Array:
    """Return lines by the ranks of a hand in ascending order, for hands of several suits and of one: uint8[2, ...]."""
    lines = np.zeros((2, _SLOTS**HAND), np.uint8)
    line_of = line_number(pay_table)
    for slots in combinations_with_replacement(range(_SLOTS), HAND):
        if slots[0] == slots[4] or slots.count(_JOKER_SLOT) > 1:
            continue
        ranks = sum(slot * _SLOTS**place for place, slot in enumerate(slots))
        for suited in range(2 if len(set(slots)) == HAND else 1):
            lines[suited, ranks] = line_of(tuple(_example(slots, bool(suited))))
    return lines


def _example(slots: tuple[int, ...], suited: bool) -> Iterator[Card]:
    """Yield cards of these ranks, in one suit or in several."""
    for place, slot in enumerate(slots):
        if slot == _JOKER_SLOT:
            yield JOKER
        else:
            suit = 0 if suited else (slots[:place].count(slot) + (place == 0 and slots[1] != slot)) % len(SUITS)
            yield Card(RANKS[slot], SUITS[suit])
