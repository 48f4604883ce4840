"""The policy by which a hand of a split is played: fixed beforehand, from its own cards alone.

It is the best play of the first hand of the split when the two cards of the pair are known to be gone; what other hands
draw is not taken into account. (The literature calls it CDP1. CDZ- plays split hands as if they had not been split.)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.compositions import ACE, all_hands, unit
from webapp.engine.odds.blackjack.dealer_outcomes import DealerOutcomes
from webapp.engine.odds.blackjack.hand_values import HandValues, NaturalTakes
from webapp.engine.odds.blackjack.split_cards import Draws
from webapp.engine.twenty_one.hand import BEST

Array = Any


@dataclass(frozen=True)
class SplitPolicy:
    """The hands on which a hand of a split may end, and in how many orders of drawing.

    drawn: int64[e], keys of the cards drawn beside the first one. total: int64[e]. orders: float[2, 2, e], by the
    second card (0: any other, 1: a pair again) and by the stake (0: one bet, 1: two). doubled: bool[10], second cards
    that are doubled.
    """

    drawn: Array
    total: Array
    orders: Array
    doubled: Array


@dataclass(frozen=True)
class DealtHand:
    """A hand with its second card under the same policy: its value, its stake in bets, and its draws without a bust.

    The value counts a bust only while the dealer has no natural.
    """

    value: float
    stake: int
    draws: Draws


def split_policy(rules: BlackjackRules, outcomes: DealerOutcomes, card: int, removed: int) -> SplitPolicy:
    """Return the play of hands that begin with a card of a pair.

    ``removed``: key of what is removed from the deck of ``outcomes`` when the first hand is played.
    """
    values = HandValues(rules, outcomes, unit(card), removed, NaturalTakes.of(rules, from_split=True))
    hands = all_hands()
    size = hands.size[values.places]
    draws, doubles = _decisions(rules, values, size, one_card=card == ACE and not rules.hit_split_aces)
    growing = np.zeros((2, len(values.places) + 1))
    growing[:, values.child[0]] = 1
    pair = values.child[0, card]
    growing[0, pair], growing[1] = 0, 0
    growing[1, pair] = 1
    ends = _ends(values, size, draws, doubles, growing)
    reached = np.flatnonzero(ends.any(axis=(0, 1)))
    second = values.child[0]
    return SplitPolicy(
        drawn=hands.keys[values.places[reached]] - unit(card),
        total=values.total[reached],
        orders=ends[:, :, reached],
        doubled=np.append(doubles, values=False)[second],
    )


def dealt_hand(rules: BlackjackRules, outcomes: DealerOutcomes, hand: int, *, may_hit: bool) -> DealtHand:
    """Return the play of a hand of a split that has two cards and waits for its turn; it is not split again.

    ``hand``: its key. All cards that are seen are gone from the deck of ``outcomes``.
    """
    values = HandValues(rules, outcomes, hand, 0, NaturalTakes.of(rules, from_split=True))
    hands = all_hands()
    size = hands.size[values.places]
    draws, doubles = _decisions(rules, values, size, one_card=not may_hit)
    growing = np.zeros((1, len(values.places) + 1))
    growing[0, 0] = 1
    ends = _ends(values, size, draws, doubles, growing)[0].sum(axis=0)
    reached = np.flatnonzero(ends)
    worth = (values.double if doubles[0] else values.hit if draws[0] else values.stand)[0]
    drawn = hands.keys[values.places[reached]] - hand
    return DealtHand(float(worth), 2 if doubles[0] else 1, Draws(drawn, ends[reached]))


def _ends(values: HandValues, size: Array, draws: Array, doubles: Array, growing: Array) -> Array:
    """Return in how many orders each hand is an end, by kind and stake: float[k, 2, n].

    ``growing``: float[k, n + 1], in how many orders hands of two cards are dealt, by kind; it is written to.
    """
    ends = np.zeros((len(growing), 2, growing.shape[1]))
    for cards in range(2, int(size.max()) + 1):
        now = np.flatnonzero(size == cards)
        hits, stands, twice = (now[kind[now]] for kind in (draws & ~doubles, ~draws, doubles))
        for kind in range(len(growing)):
            np.add.at(growing[kind], values.child[hits], growing[kind, hits, None])
            np.add.at(ends[kind, 1], values.child[twice], growing[kind, twice, None])
        ends[:, 0, stands] += growing[:, stands]
    return ends[:, :, :-1]


def _decisions(rules: BlackjackRules, values: HandValues, size: Array, *, one_card: bool) -> tuple[Array, Array]:
    """Return which hands draw a card, and which of them by doubling."""
    pairs = size == 2
    if one_card:
        return size < 2, np.zeros(len(size), bool)
    hits = (values.hit > values.stand) & ~((values.total == BEST) & rules.auto_stand_21)
    allowed = [rules.double_after_split and rules.may_double_total(total) for total in range(BEST + 1)]
    may = np.array(allowed)[values.total]
    may &= ~((values.total == BEST) & rules.auto_stand_21)
    doubles = pairs & may & (values.double > np.maximum(values.stand, np.where(hits, values.hit, values.stand)))
    return hits | doubles, doubles
