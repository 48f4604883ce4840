"""The exercise exactly: how likely each score of a game is, by going through all cards that can come.

A hand that still draws is known by how many cards of each value it has; there are a few hundred of those. For all hands
on which the player can stand, side by side, the dealer draws from what they have left.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Any, Final

import numpy as np

from webapp.engine.simulation.exercise import DEALER_STANDS, Exercise

Array = Any
Cards = tuple[int, ...]  # how many of each value, from the ace

_NONE: Final[Cards] = (0,) * 10
_NATURAL: Final[Cards] = (1, 0, 0, 0, 0, 0, 0, 0, 0, 1)
SCORES: Final = (-2, 0, 2, 3)


def chances(decks: int, stand: int, natural_beats_21: bool) -> tuple[float, ...]:
    """Of a game, of each of SCORES. They add up to 1."""
    return chances_from((4 * decks,) * 9 + (16 * decks,), stand, natural_beats_21)


@lru_cache(maxsize=64)
def chances_from(cards: Cards, stand: int, natural_beats_21: bool) -> tuple[float, ...]:
    """The same, from any cards that are enough for both."""
    deck = np.array(cards, float)
    hands, bust = _drawn(deck[None, :], stand)
    taken = np.array(list(hands))
    weight = np.array([each[0] for each in hands.values()])
    mine = np.array([_total(each) for each in hands])
    natural = np.array([each == _NATURAL for each in hands])
    finals, too_many = _drawn(deck - taken, DEALER_STANDS)
    won, drawn = too_many.copy(), np.zeros(len(weight))
    for each, chance in finals.items():
        its, is_natural = _total(each), each == _NATURAL
        equal = mine == its
        if natural_beats_21:
            won += np.where(equal & natural & (not is_natural), chance, 0)
            drawn += np.where(equal & (natural == is_natural), chance, 0)
        else:
            drawn += np.where(equal, chance, 0)
        won += np.where(mine > its, chance, 0)
    plain, with_natural = (weight * won)[~natural].sum(), (weight * won)[natural].sum()
    push = (weight * drawn).sum()
    assert abs(weight.sum() + bust[0] - 1) < 1e-9
    return (float(1 - plain - with_natural - push), float(push), float(plain), float(with_natural))


def _drawn(decks: Array, stand: int) -> tuple[dict[Cards, Array], Array]:
    """Chances of all hands that stand, and of being bust, drawing from each of some decks: float[w, 10]."""
    count = len(decks)
    left = decks.sum(axis=1)
    draws: dict[Cards, Array] = {_NONE: np.ones(count)}
    stands: dict[Cards, Array] = {}
    bust = np.zeros(count)
    while draws:
        after: dict[Cards, Array] = defaultdict(lambda: np.zeros(count))
        for hand, chance in draws.items():
            size = sum(hand)
            for value in range(10):
                odds = chance * np.clip(decks[:, value] - hand[value], 0, None) / np.maximum(left - size, 1)
                longer = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
                total = _total(longer)
                if total > 21:
                    bust += odds
                elif total >= stand and size > 0:
                    stands[longer] = stands.get(longer, 0) + odds
                else:
                    after[longer] += odds
        draws = dict(after)
    return stands, bust


def _total(hand: Cards) -> int:
    hard = sum(number * value for value, number in enumerate(hand, 1))
    return hard + 10 if hand[0] and hard <= 11 else hard


def mean_and_deviation(task: Exercise) -> tuple[float, float]:
    """Of the score of one game."""
    found = chances(task.decks, task.stand, task.natural_beats_21)
    mean = sum(score * chance for score, chance in zip(SCORES, found, strict=True))
    square = sum(score * score * chance for score, chance in zip(SCORES, found, strict=True))
    return mean, float(np.sqrt(square - mean * mean))


@lru_cache(maxsize=64)
def sums(decks: int, stand: int, natural_beats_21: bool, games: int) -> tuple[float, ...]:
    """Chances of the sum of so many games, each with a fresh shoe: the first is that of -2 for every one of them."""
    one = np.zeros(6)
    for score, chance in zip(SCORES, chances(decks, stand, natural_beats_21), strict=True):
        one[score + 2] = chance
    made, power = np.ones(1), one
    while games:
        if games & 1:
            made = np.convolve(made, power)
        games >>= 1
        power = np.convolve(power, power) if games else power
    return tuple(map(float, made))
