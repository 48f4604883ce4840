"""Chances of the dealer's final totals, for many decks at once."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import ACE, TEN, counts_of
from webapp.engine.odds.blackjack.dealer_sequences import BUST, OUTCOMES, DealerTree, dealer_tree

Array = Any

Evaluate = Callable[[DealerTree, Array], Array]
"""Returns the chances of the totals 17 to 21 for decks: float[n, 5] from int64[n, 10]."""

_AT_ONCE: Final = 64
"""Decks that are computed side by side: their numbers fit a processor's cache, and a library that multiplies matrices
in threads leaves so few to one."""


def evaluate_plainly(tree: DealerTree, decks: Array) -> Array:
    """Compute chances of totals with NumPy alone."""
    totals = np.zeros((len(decks), BUST))
    gather = np.zeros((BUST, len(tree.ends)))
    gather[tree.total, np.arange(len(tree.ends))] = tree.orders
    for start in range(0, len(decks), _AT_ONCE):
        deck = decks[start : start + _AT_ONCE].T.astype(float)
        left = deck.sum(axis=0)
        chance = np.ones((len(tree.parent), deck.shape[1]))
        for depth in range(1, len(tree.starts) - 1):
            nodes = slice(tree.starts[depth], tree.starts[depth + 1])
            factor = deck[tree.card[nodes]] - tree.drawn[nodes, None]
            np.maximum(factor, 0, out=factor)
            factor /= np.maximum(left - (depth - 1), 1)
            np.multiply(chance[tree.parent[nodes]], factor, out=chance[nodes])
        totals[start : start + _AT_ONCE] = (gather @ chance[tree.ends]).T
    return totals


def natural_chance(rules: BlackjackRules, up: int, decks: Array) -> Array:
    """Return the chance of a dealer's natural for decks: float[n] from int64[n, 10]."""
    missing = {ACE: TEN, TEN: ACE}.get(up)
    if missing is None or not rules.naturals:
        return np.zeros(len(decks))
    return decks[:, missing] / np.maximum(decks.sum(axis=1), 1)


class DealerOutcomes:
    """Chances of the dealer's final totals with one open card, from a deck without the cards of the players.

    ``deck``: the unseen cards, int64[10]; or what they are on average, float[10], where only a count of them is known.
    """

    def __init__(self, rules: BlackjackRules, up: int, deck: Array, evaluate: Evaluate = evaluate_plainly) -> None:
        self.up = up
        self.deck = np.asarray(deck)
        self._rules = rules
        self._tree = dealer_tree(rules, up)
        self._evaluate = evaluate

    def decks(self, removed: Array) -> Array:
        """Return what is left once cards are removed: [n, 10] from keys int64[n]. No count is below 0."""
        return np.maximum(self.deck - counts_of(removed), 0)

    def naturals(self, removed: Array) -> Array:
        """Return the chances of a dealer's natural: float[n]."""
        return natural_chance(self._rules, self.up, self.decks(removed))

    def chances(self, removed: Array) -> Array:
        """Return the chances of 17 to 21 and of a bust, float[n, 6], once cards with these keys are removed.

        A natural is none of them where the table knows naturals.
        """
        decks = self.decks(removed)
        chances = np.zeros((len(decks), OUTCOMES))
        chances[:, :BUST] = self._evaluate(self._tree, decks)
        chances[:, BUST] = 1 - natural_chance(self._rules, self.up, decks) - chances[:, :BUST].sum(axis=1)
        return chances
