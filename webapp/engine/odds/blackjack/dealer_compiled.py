"""The dealer's chances, compiled with Numba: for workers and the command line, where memory is no concern.

Without Numba this module cannot be imported, and ``outcomes.evaluate_plainly`` does the same more slowly.
"""

# mypy: allow-untyped-defs, no-check-untyped-defs, disallow-untyped-decorators=False
from typing import Any

import numpy as np
from numba import njit

from webapp.engine.odds.blackjack.dealer_sequences import BUST, DealerTree

Array = Any


@njit(cache=True, nogil=True)
def _totals(parent, card, drawn, depth, ends, total, orders, decks, totals):
    chance = np.ones(len(parent))
    most = depth[-1]
    shares = np.ones(most + 1)
    for number in range(len(decks)):
        deck = decks[number]
        left = deck.sum()
        for drawn_before in range(most):
            shares[drawn_before + 1] = 1 / max(left - drawn_before, 1)
        for node in range(1, len(parent)):
            cards = max(deck[card[node]] - drawn[node], 0)
            chance[node] = chance[parent[node]] * cards * shares[depth[node]]
        for end in range(len(ends)):
            totals[number, total[end]] += orders[end] * chance[ends[end]]


def evaluate_compiled(tree: DealerTree, decks: Array) -> Array:
    """Compute chances of totals with machine code."""
    totals = np.zeros((len(decks), BUST))
    nodes = (tree.parent, tree.card, tree.drawn, tree.depth)
    _totals(*nodes, tree.ends, tree.total, tree.orders, np.ascontiguousarray(decks), totals)
    return totals
