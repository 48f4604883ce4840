"""Compositions: hands, decks and unseen cards as counts of the ten values of cards, without regard to order.

A value is written as 0, the ace, to 9, the ten. A composition is ten counts, or one number, its *key*, which has six
bits for each count: keys are added and subtracted as compositions are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from webapp.engine.cards import Card
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.twenty_one.hand import BEST, value

_LARGE: Final = 60
"""A bet of which no share is rounded."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of a bet: what a natural wins, what a surrender loses, and what an insurance costs."""

    natural: float
    surrender: float
    insurance: float

    @classmethod
    def of(cls, rules: BlackjackRules, bet: int | None = None) -> "Shares":
        """Return the shares of a bet, rounded to a chip as at the table; without a certain bet they are not rounded."""
        chips = bet or _LARGE
        back = chips // 2
        return cls(rules.blackjack_bonus(chips) / chips, (chips - back) / chips, back / chips)


Array = Any

VALUES: Final = 10
ACE: Final = 0
TEN: Final = 9
BITS: Final = 6
POINTS: Final = np.arange(1, VALUES + 1)
"""Points of each value, the ace as 1."""
_SHIFTS: Final = np.arange(VALUES) * BITS


def index_of(card: Card) -> int:
    """Return the value of a card, from 0, the ace, to 9, the ten."""
    return value(card) - 1


def unit(card_value: int) -> int:
    """Return the key of a single card."""
    return 1 << (BITS * card_value)


def key_of(values: Iterable[int]) -> int:
    """Return the key of cards, given by their values."""
    return sum(unit(card_value) for card_value in values)


def keys_of(counts: Array) -> Array:
    """Return the keys of compositions, int64[n], from int64[n, 10]."""
    return (counts.astype(np.int64) << _SHIFTS).sum(axis=-1)


def counts_of(keys: Array) -> Array:
    """Return the counts of compositions, int64[n, 10], from int64[n]."""
    return (np.asarray(keys, np.int64)[..., None] >> _SHIFTS) & (2**BITS - 1)


def total_of(hard: int, has_ace: bool) -> tuple[int, bool]:
    """Return the best total, and True if an ace counts 11."""
    soft = has_ace and hard <= BEST - 10
    return hard + 10 * soft, soft


@dataclass(frozen=True)
class Hands:
    """All hands of 21 or less, the empty one first, in the order of their hard totals.

    counts: int64[n, 10]. keys: int64[n]. hard: int64[n], totals with every ace as 1. total: int64[n], the best totals.
    child: int64[n, 10], the hand with one card more; n for all that are bust. size: int64[n], numbers of cards.
    level: where hands of a hard total begin; the last number is n.
    """

    counts: Array
    keys: Array
    hard: Array
    total: Array
    child: Array
    size: Array
    level: tuple[int, ...]
    place: dict[int, int]
    """Place of a hand by its key."""


def _hands_up_to(points: int, lowest: int) -> Iterator[tuple[int, ...]]:
    yield ()
    for card_value in range(lowest, VALUES):
        if card_value + 1 <= points:
            for rest in _hands_up_to(points - card_value - 1, card_value):
                yield (card_value, *rest)


@cache
def all_hands() -> Hands:
    """Return the hands of 21 or less; they are the same at all tables."""
    cards = sorted(_hands_up_to(BEST, ACE), key=lambda hand: (sum(hand) + len(hand), hand))
    counts = np.array([np.bincount(np.array(hand, np.int64), minlength=VALUES) for hand in cards])
    keys = keys_of(counts)
    place = {int(key): index for index, key in enumerate(keys)}
    hard = counts @ POINTS
    soft = (counts[:, ACE] > 0) & (hard <= BEST - 10)
    child = np.array(
        [[place.get(int(key) + unit(card_value), len(cards)) for card_value in range(VALUES)] for key in keys]
    )
    level = tuple(int(start) for start in np.searchsorted(hard, np.arange(BEST + 2)))
    return Hands(counts, keys, hard, hard + 10 * soft, child, counts.sum(axis=1), level, place)


def chances_of_draws(deck: Array, keys: Array) -> Array:
    """Return the chance that the next cards of a deck are these, in one given order: float[n].

    Args:
        deck: int64[10].
        keys: int64[n], of the cards that are drawn.
    """
    drawn = counts_of(keys)
    most = int(drawn.max(initial=0))
    steps = np.maximum(deck[:, None] - np.arange(most), 0)
    ways = np.hstack((np.ones((VALUES, 1)), np.cumprod(steps, axis=1, dtype=float)))
    sizes = drawn.sum(axis=1)
    left = np.maximum(deck.sum() - np.arange(int(sizes.max(initial=0))), 1)
    orders = np.concatenate((np.ones(1), np.cumprod(left, dtype=float)))
    return ways[np.arange(VALUES), drawn].prod(axis=1) / orders[sizes]
