"""The chance that no hand of a split is bust while the dealer has a natural.

It is needed where a natural that nobody could know of takes no more than the first bet of a box: then a box none of
whose hands is bust loses one bet. Hands of one box draw from one deck, so their cards are put together.

For one and two hands the chance is exact. For three and four it is put together from that of each hand and of every two
of them (Kirkwood's superposition); what all three have to do with each other is left out. That changes the value of a
split by less than a hundred-thousandth of a bet.
"""

from collections.abc import Callable
from itertools import combinations
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np

Array = Any

_AT_ONCE: Final = 200_000
"""Pairs of compositions that are in memory at a time."""


class Draws(NamedTuple):
    """Compositions of drawn cards, int64[n], and in how many orders each is drawn, float[n]."""

    keys: Array
    orders: Array

    def times(self, other: "Draws") -> "Draws":
        """Return the draws of two hands together, every composition once."""
        rows = max(1, _AT_ONCE // len(other.keys))
        parts = [self._rows_times(slice(start, start + rows), other) for start in range(0, len(self.keys), rows)]
        return _gathered(np.concatenate([part.keys for part in parts]), np.concatenate([part.orders for part in parts]))

    def _rows_times(self, rows: slice, other: "Draws") -> "Draws":
        return _gathered(
            (self.keys[rows, None] + other.keys[None, :]).ravel(),
            (self.orders[rows, None] * other.orders[None, :]).ravel(),
        )


def _gathered(keys: Array, orders: Array) -> Draws:
    """Return draws with every composition once."""
    distinct, place = np.unique(keys, return_inverse=True)
    return Draws(distinct, np.bincount(place, orders))


class HandsWithoutBust:
    """Draws of the hands of a split without a bust.

    Args:
        kinds: the draws of a hand, by its kind.
        chance: returns the chance that the next cards are any of these, and that the dealer has a natural, when so many
            cards of the pair are gone.
    """

    def __init__(self, kinds: tuple[Draws, ...], chance: Callable[[Draws, int], float]) -> None:
        self._kinds, self._chance = kinds, chance
        self._both: dict[tuple[int, ...], Draws] = {}
        self._known: dict[tuple[tuple[int, ...], int], float] = {}

    def joint(self, hands: tuple[int, ...], again: int) -> float:
        """Return the chance that none of these hands is bust, and the dealer has a natural.

        Args:
            hands: the kind of each of the hands, in ascending order.
            again: cards of the pair that are gone.
        """
        if (hands, again) not in self._known:
            self._known[hands, again] = self._computed(hands, again)
        return self._known[hands, again]

    def _computed(self, hands: tuple[int, ...], again: int) -> float:
        match hands:
            case ():
                return self._chance(Draws(np.zeros(1, np.int64), np.ones(1)), again)
            case (kind,):
                return self._chance(self._kinds[kind], again)
            case (kind, other):
                if hands not in self._both:
                    self._both[hands] = self._kinds[kind].times(self._kinds[other])
                return self._chance(self._both[hands], again)
        natural = self.joint((), again)
        if not natural or not all(self.joint((hand,), again) for hand in hands):
            return 0.0
        alone = prod(self.joint((hand,), again) / natural for hand in hands)
        together = prod(
            self.joint(two, again) * natural / prod(self.joint((hand,), again) for hand in two)
            for two in combinations(hands, 2)
        )
        return natural * alone * together
