"""Sets of up to five cards as numbers, and sums over all larger sets.

A card is a number: four times its rank from the two, and its suit; the joker is 52. A set of k cards, in ascending
order, is number ``sum(CHOOSE[card][place])`` with places from 1 among the sets of its size (the combinatorial number
system). So all sets with the same greatest card stand in one block, in the order of the sets of the cards below it.
"""

from collections.abc import Iterable
from math import comb
from typing import Any, Final

import numpy as np

from webapp.engine.cards import Card

Array = Any

HAND: Final = 5
JOKER: Final = 52
CHOOSE: Final = tuple(tuple(comb(card, place) for place in range(HAND + 1)) for card in range(JOKER + 2))
CHOOSE_ARRAY: Final = np.array(CHOOSE, np.int64)


def number_of(card: Card) -> int:
    """Return the number of a card."""
    return JOKER if card.is_joker else 4 * (card.rank - 2) + card.suit.bit_length() - 1


def set_number(cards: Iterable[int]) -> int:
    """Return the number of a set of cards among the sets of its size."""
    return sum(CHOOSE[card][place] for place, card in enumerate(sorted(cards), 1))


def without(size: int, deck: int) -> list[Array]:
    """Return the number that each set of ``size`` cards has without its first, second, ... card: int64[sets] each."""
    if size == 1:
        return [np.zeros(deck, np.int64)]
    smaller = without(size - 1, deck)
    inner = [
        np.concatenate([CHOOSE[card][size - 1] + numbers[: CHOOSE[card][size - 1]] for card in range(deck)])
        for numbers in smaller
    ]
    return [*inner, np.concatenate([np.arange(CHOOSE[card][size - 1]) for card in range(deck)])]


def sums_over_larger(values: Array, size: int, deck: int) -> Array:
    """Return, for every set of ``size - 1`` cards, the sum of the values of all sets of ``size`` that hold it.

    ``values`` is int64[sets, columns] or float64[sets, columns]; sums of integers are exact below 2**53.
    """
    sums = np.zeros((comb(deck, size - 1), values.shape[1]))
    for numbers in without(size, deck):
        for column in range(values.shape[1]):
            sums[:, column] += np.bincount(numbers, values[:, column], len(sums))
    return sums.astype(values.dtype)
