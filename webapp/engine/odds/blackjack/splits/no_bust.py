"""The chance that no hand of a split is bust while the dealer has a natural.

It is needed if a natural that is found only after the boxes have played takes no more than the first bet of a box:
then a box without a bust hand loses one bet. The hands of a box draw from one deck, so their draws are combined: those
of two hands pair by pair, those of three and four by the cards they have in common (``shared_cards``). All are exact.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.odds.blackjack.compositions import chances_of_draws
from webapp.engine.odds.blackjack.splits.shared_cards import Draws, SharedSums, Sizes, chance_together, parts_of

Array = Any

_AT_ONCE: Final = 200_000
"""Pairs of compositions that are in memory at a time."""


class WithNatural(NamedTuple):
    """What hands draw from while the dealer has a natural: the deck without the hidden card, and the chance of it."""

    deck: Array
    chance: float


class HandsWithoutBust:
    """Draws of the hands of a split without a bust.

    Args:
        kinds: the draws of a hand, by its kind. Kinds may share the array of their keys.
        unseen: returns the cards that are left after a number of cards of the pair.
    """

    def __init__(self, kinds: tuple[Draws, ...], unseen: Callable[[int], WithNatural]) -> None:
        self.kinds, self.unseen = kinds, unseen
        self._both: dict[tuple[int, ...], Draws] = {}
        self._sizes: dict[int, Sizes] = {}
        self._parts: dict[tuple[tuple[int, ...], int], Array] = {}
        self._sums: dict[tuple[tuple[int, ...], int], SharedSums] = {}
        self._known: dict[tuple[tuple[int, ...], int], float] = {}

    def joint(self, hands: tuple[int, ...], again: int) -> float:
        """Return the chance that none of these hands is bust, and the dealer has a natural.

        Args:
            hands: the kind of each of the hands, in ascending order; four at most.
            again: cards of the pair that are gone.
        """
        if (hands, again) not in self._known:
            natural = self.unseen(again)
            self._known[hands, again] = natural.chance * self._no_bust(hands, again) if natural.chance else 0.0
        return self._known[hands, again]

    def _no_bust(self, hands: tuple[int, ...], again: int) -> float:
        """Return the chance that none of the hands is bust, given the natural."""
        if not hands:
            return 1.0
        deck = self.unseen(again).deck
        if len(hands) <= 2:
            draws = self._draws(hands).within(deck)
            return float((draws.orders * chances_of_draws(deck, draws.keys)).sum())
        first, others = self.shared(hands[:2], again), self.shared(hands[2:], again)
        return chance_together(deck, first, others, self.sizes(again))

    def sizes(self, again: int) -> Sizes:
        """Return the sizes for the deck without a number of cards of the pair."""
        if again not in self._sizes:
            self._sizes[again] = Sizes.of(int(self.unseen(again).deck.sum()))
        return self._sizes[again]

    def alike(self, hands: tuple[int, ...]) -> tuple[int, ...]:
        """Return kinds that draw the same cards as these do, in more orders or fewer: the first of each."""
        return tuple(
            next(kind for kind, draws in enumerate(self.kinds) if draws.keys is self.kinds[hand].keys) for hand in hands
        )

    def _draws(self, hands: tuple[int, ...]) -> Draws:
        """Return the draws of one hand or of two together."""
        if len(hands) == 1:
            return self.kinds[hands[0]]
        if hands not in self._both:
            self._both[hands] = _together(*(self.kinds[kind] for kind in hands))
        return self._both[hands]

    def shared(self, hands: tuple[int, ...], again: int) -> SharedSums:
        """Return the sums of one hand or of two."""
        if (hands, again) not in self._sums:
            deck = self.unseen(again).deck
            draws = self._draws(hands).within(deck)
            cards = self.alike(hands), again
            if cards not in self._parts:
                self._parts[cards] = parts_of(draws.keys)
            self._sums[hands, again] = SharedSums.of(draws, deck, self.sizes(again), self._parts[cards])
        return self._sums[hands, again]


def _together(one: Draws, other: Draws) -> Draws:
    """Return the draws of two hands together, every composition once."""
    rows = max(1, _AT_ONCE // len(other.keys))
    parts = [_rows_together(one, slice(start, start + rows), other) for start in range(0, len(one.keys), rows)]
    return _gathered(np.concatenate([part.keys for part in parts]), np.concatenate([part.orders for part in parts]))


def _rows_together(one: Draws, rows: slice, other: Draws) -> Draws:
    return _gathered(
        (one.keys[rows, None] + other.keys[None, :]).ravel(),
        (one.orders[rows, None] * other.orders[None, :]).ravel(),
    )


def _gathered(keys: Array, orders: Array) -> Draws:
    """Return draws with every composition once."""
    distinct, place = np.unique(keys, return_inverse=True)
    return Draws(distinct, np.bincount(place, orders))
