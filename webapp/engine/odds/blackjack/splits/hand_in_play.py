"""The chances of what a hand in play draws while the hands of the split that wait are not bust.

If a dealer's natural that is found only later takes no more than the first bet of a box, a hand in play that is not
bust saves the box something only if another hand is bust. All hands draw from one deck, so they are not independent.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from webapp.engine.odds.blackjack.compositions import chances_of_draws
from webapp.engine.odds.blackjack.splits.no_bust import HandsWithoutBust
from webapp.engine.odds.blackjack.splits.shared_cards import Draws, chances_beside

Array = Any

_AT_ONCE: Final = 200_000
"""Pairs of compositions that are in memory at a time."""


class HandInPlay:
    """Draws of a hand in play, beside those of hands that wait.

    Args:
        drawn: int64[n], keys of the cards that it may draw, each of them once.
        waiting: the hands that wait.
    """

    def __init__(self, drawn: Array, waiting: HandsWithoutBust) -> None:
        self._drawn, self._waiting = drawn, waiting
        self._before_two: dict[tuple[tuple[int, ...], int], Draws] = {}

    def joint(self, hands: tuple[int, ...], again: int) -> Array:
        """Return the chances of each draw, in one order, with none of the others bust and a natural of the dealer.

        Args:
            hands: the kind of each of the hands that wait, in ascending order; three at most.
            again: cards of the pair that are gone.
        """
        natural = self._waiting.unseen(again)
        return natural.chance * self._beside(hands, again) if natural.chance else np.zeros(len(self._drawn))

    def _beside(self, hands: tuple[int, ...], again: int) -> Array:
        """Return the chances, given the natural."""
        deck = self._waiting.unseen(again).deck
        if not hands:
            return chances_of_draws(deck, self._drawn)
        if len(hands) <= 2:
            return chances_beside(deck, self._drawn, self._waiting.shared(hands, again), self._waiting.sizes(again))
        one, before = self._waiting.kinds[hands[0]], self._with_one(hands, again)
        return np.concatenate([_orders(before, keys) @ one.orders for keys in self._together_with(one)])

    def _with_one(self, hands: tuple[int, ...], again: int) -> Draws:
        """Return what the hand in play and the first of three draw, and in place of orders the chances of it."""
        known = (*self._waiting.alike(hands[:1]), *hands[1:]), again
        if known not in self._before_two:
            one = self._waiting.kinds[hands[0]]
            keys = np.unique(np.concatenate([np.unique(keys) for keys in self._together_with(one)]))
            group, sizes = self._waiting.shared(hands[1:], again), self._waiting.sizes(again)
            self._before_two[known] = Draws(keys, chances_beside(self._waiting.unseen(again).deck, keys, group, sizes))
        return self._before_two[known]

    def _together_with(self, one: Draws) -> Iterator[Array]:
        """Yield the keys of what both draw, some rows of this hand's draws after another: int64[rows, draws]."""
        rows = max(1, _AT_ONCE // len(one.keys))
        for start in range(0, len(self._drawn), rows):
            yield self._drawn[start : start + rows, None] + one.keys


def _orders(draws: Draws, keys: Array) -> Array:
    return draws.orders[np.searchsorted(draws.keys, keys)]
