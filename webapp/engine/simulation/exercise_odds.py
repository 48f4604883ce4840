"""Exact odds of the exercise, from all cards that can be dealt.

A hand that still draws is known by how many cards of each value it has; there are a few hundred of those. For all hands
on which the player can stand, side by side, the dealer draws from the cards that are left.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import DEALER_STANDS

Array = Any
Cards = tuple[int, ...]  # number of cards of each value, from the ace

_NONE: Final[Cards] = (0,) * 10
_NATURAL: Final[Cards] = (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)


@lru_cache(maxsize=64)
def score_odds_from(cards: Cards, stand: int, natural_beats_21: bool) -> tuple[float, ...]:
    """Return the probabilities of -2, 0, 2 and 3 points with these cards, which have to be enough for both hands."""
    deck = np.array(cards, float)
    hands, bust = _draw(deck[None, :], stand)
    dealt = np.array(list(hands))
    weight = np.array([odds[0] for odds in hands.values()])
    totals = np.array([_total(hand) for hand in hands])
    natural = np.array([hand == _NATURAL for hand in hands])
    dealer_hands, dealer_bust = _draw(deck - dealt, DEALER_STANDS)
    win, push = dealer_bust.copy(), np.zeros(len(weight))
    for dealer, odds in dealer_hands.items():
        dealer_total, dealer_natural = _total(dealer), dealer == _NATURAL
        equal = totals == dealer_total
        if natural_beats_21:
            win += np.where(equal & natural & (not dealer_natural), odds, 0)
            push += np.where(equal & (natural == dealer_natural), odds, 0)
        else:
            push += np.where(equal, odds, 0)
        win += np.where(totals > dealer_total, odds, 0)
    plain_win, natural_win = (weight * win)[~natural].sum(), (weight * win)[natural].sum()
    draw = (weight * push).sum()
    assert abs(weight.sum() + bust[0] - 1) < 1e-9
    return (float(1 - plain_win - natural_win - draw), float(draw), float(plain_win), float(natural_win))


def _draw(decks: Array, stand: int) -> tuple[dict[Cards, Array], Array]:
    """Return the probabilities of all hands that stand, and of a bust, float[d], for decks of float[d, 10]."""
    count = len(decks)
    left = decks.sum(axis=1)
    drawing: dict[Cards, Array] = {_NONE: np.ones(count)}
    standing: dict[Cards, Array] = {}
    bust = np.zeros(count)
    while drawing:
        longer_hands: dict[Cards, Array] = defaultdict(lambda: np.zeros(count))
        for hand, hand_odds in drawing.items():
            size = sum(hand)
            for value in range(10):
                odds = hand_odds * np.clip(decks[:, value] - hand[value], 0, None) / np.maximum(left - size, 1)
                longer = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
                total = _total(longer)
                if total > 21:
                    bust += odds
                elif total >= stand and size > 0:
                    standing[longer] = standing.get(longer, 0) + odds
                else:
                    longer_hands[longer] += odds
        drawing = dict(longer_hands)
    return standing, bust


def _total(hand: Cards) -> int:
    hard = sum(number * value for value, number in enumerate(hand, 1))
    return hard + 10 if hand[0] and hard <= 11 else hard
