"""Sequences of cards by which a dealer comes to a total, without regard to order.

Sequences of the same cards have the same chance, so they are grouped: a group has the cards, and the number of orders
in which the dealer may draw them. The groups lie in a tree: a node is the cards of its parent and one card more, and
its chance is that of its parent times one factor.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import DEALER_STANDS, BlackjackRules
from webapp.engine.odds.blackjack.compositions import ACE, TEN, VALUES, total_of
from webapp.engine.twenty_one.hand import BEST

Array = Any

TOTALS: Final = BEST - DEALER_STANDS + 1
"""Totals on which a dealer may end, 17 to 21."""
BUST: Final = TOTALS
"""Place of a bust, after the totals."""
OUTCOMES: Final = TOTALS + 1


@dataclass(frozen=True, slots=True)
class DealerTree:
    """The cards that a dealer draws to one open card, up to 21.

    Node 0 has no card. Nodes follow their parents, and lie in the order of their numbers of cards.

    parent: int64[n]. card: int64[n], the value of the card that is drawn last. drawn: int64[n], how many of that value
    are drawn before it. depth: int64[n], numbers of cards. starts: where nodes of a number of cards begin.
    ends: int64[e], nodes at which the dealer stands. total: int64[e], on which total, from 0 for 17. orders: float[e],
    in how many orders they are reached.
    """

    parent: Array
    card: Array
    drawn: Array
    depth: Array
    starts: tuple[int, ...]
    ends: Array
    total: Array
    orders: Array


def dealer_tree(rules: BlackjackRules, up: int) -> DealerTree:
    """Return the tree of an open card. A natural is not in it where the table knows naturals."""
    return _tree(rules.soft_17, rules.naturals, up)


@cache
def _tree(soft_17: str, naturals: bool, up: int) -> DealerTree:
    orders = _orders(soft_17, naturals, up)
    nodes = {tuple(cards[:length]) for cards in orders for length in range(len(cards) + 1)}
    ordered = sorted(nodes, key=lambda cards: (len(cards), cards))
    place = {cards: index for index, cards in enumerate(ordered)}
    depth = np.array([len(cards) for cards in ordered])
    ends = sorted(orders, key=place.__getitem__)
    hards = [up + 1 + sum(cards) + len(cards) for cards in ends]
    return DealerTree(
        parent=np.array([place[cards[:-1]] for cards in ordered]),
        card=np.array([cards[-1] if cards else 0 for cards in ordered]),
        drawn=np.array([cards.count(cards[-1]) - 1 if cards else 0 for cards in ordered]),
        depth=depth,
        starts=tuple(int(start) for start in np.searchsorted(depth, np.arange(depth[-1] + 2))),
        ends=np.array([place[cards] for cards in ends]),
        total=np.array(
            [
                total_of(hard, up == ACE or ACE in cards)[0] - DEALER_STANDS
                for cards, hard in zip(ends, hards, strict=True)
            ]
        ),
        orders=np.array([orders[cards] for cards in ends], float),
    )


def _orders(soft_17: str, naturals: bool, up: int) -> dict[tuple[int, ...], int]:
    """Return the groups on which the dealer stands, each with its number of orders. Cards are sorted, tens first."""
    rules = BlackjackRules(soft_17="hit" if soft_17 == "hit" else "stand")
    ends: dict[tuple[int, ...], int] = {}
    growing: dict[tuple[int, ...], int] = {(): 1}
    while growing:
        longer: dict[tuple[int, ...], int] = {}
        for cards, orders in growing.items():
            for card in range(VALUES):
                if naturals and not cards and {up, card} == {ACE, TEN}:
                    continue
                group = tuple(sorted((*cards, card), reverse=True))
                hard = up + 1 + sum(group) + len(group)
                if hard > BEST:
                    continue
                draws = rules.dealer_draws(*total_of(hard, up == ACE or ACE in group))
                kept = longer if draws else ends
                kept[group] = kept.get(group, 0) + orders
        growing = longer
    return ends
