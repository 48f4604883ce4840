"""The chance that cards of two groups of hands can be drawn from one deck together.

Each group is drawn as if the whole deck were its own, and then no card may be in both. Cards that would be are taken
out by inclusion and exclusion: every way to draw the groups, less those in which a certain card is shared, plus those
in which two are, and so on. For a composition J of shared cards the part is

    (-1)^|J| / C(deck, J) * (sum over the draws A of one group: C(A, J) * chance of A) * (the same of the other group)

where C is a product of binomial coefficients over the ten values. Nothing is left out: the result is exact.
"""

from math import comb
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.odds.blackjack.compositions import BITS, VALUES, chances_of_draws, counts_of, unit
from webapp.engine.twenty_one.totals import BEST

Array = Any

_CHOOSE: Final = np.array([[comb(n, k) for k in range(2**BITS)] for n in range(2 * 2**BITS + 1)], float)
_MOST_CARDS: Final = 2 * (BEST - 1)
"""More are not drawn to two hands that are not bust."""
_NOTHING: Final = 1e-15
"""Share of the greatest coordinate from which one is no more than what numbers are rounded by."""


class Draws(NamedTuple):
    """Compositions of drawn cards, int64[n], and in how many orders each is drawn, float[n]."""

    keys: Array
    orders: Array

    def within(self, deck: Array) -> "Draws":
        """Return the draws for which a deck has enough cards."""
        possible = (counts_of(self.keys) <= deck).all(axis=1)
        return Draws(self.keys[possible], self.orders[possible])


class SharedSums(NamedTuple):
    """For each composition that draws of a group have in them: sums of C(A, J) * chance of A over the draws.

    keys: int64[n], ascending. sums: float[n, r], in the coordinates of ``Sizes``.
    """

    keys: Array
    sums: Array

    @classmethod
    def of(cls, draws: Draws, deck: Array, sizes: "Sizes", keys: Array) -> "SharedSums":
        """Sum up draws from a deck, int64[10], which has enough cards for them. ``keys``: their ``parts_of``."""
        sums = np.zeros((len(keys), sizes.coordinates.shape[1]))
        chances = draws.orders * chances_of_draws(deck, draws.keys)
        sums[np.searchsorted(keys, draws.keys)] = chances[:, None] * sizes.coordinates[_number_of_cards(draws.keys)]
        for value in range(VALUES):
            sums = _summed(keys, sums, value)
        return cls(keys, sums)


class Sizes(NamedTuple):
    """How much likelier an order of n + m cards of a deck is than one of n cards and one of m, drawn apart.

    The table of it, [n, m], is a sum of a few products: of coordinates of n and of m, each with a sign.
    coordinates: float[n, r]. signs: float[r].
    """

    coordinates: Array
    signs: Array

    @classmethod
    def of(cls, cards: int) -> "Sizes":
        """Return the coordinates for a deck of this number of cards."""
        size = np.arange(min(cards, _MOST_CARDS) + 1)
        orders = np.concatenate((np.ones(1), np.cumprod(np.maximum(cards - np.arange(2 * len(size)), 1), dtype=float)))
        table = orders[size][:, None] * orders[size] / orders[size[:, None] + size]
        # its values differ by orders of magnitude: scaled so that the diagonal, the maximum, is 1
        scale = np.sqrt(table.diagonal())
        values, vectors = np.linalg.eigh(table / scale[:, None] / scale)
        counted = np.abs(values) > _NOTHING * values.max()
        return cls(scale[:, None] * vectors[:, counted] * np.sqrt(np.abs(values[counted])), np.sign(values[counted]))


def chance_together(deck: Array, group: SharedSums, other: SharedSums, sizes: Sizes) -> float:
    """Return the chance that both groups draw such cards from one deck, int64[10]."""
    shared, here, there = np.intersect1d(group.keys, other.keys, assume_unique=True, return_indices=True)
    ways = _CHOOSE[deck, counts_of(shared)].prod(axis=1)
    signs = 1 - 2 * (_number_of_cards(shared) % 2)
    parts = (group.sums[here] * other.sums[there]) @ sizes.signs
    return float((signs * parts / ways).sum())


def chances_beside(deck: Array, drawn: Array, group: SharedSums, sizes: Sizes) -> Array:
    """Return the chances that the next cards of a deck, int64[10], are these, in one order, and a group draws after.

    ``drawn``: int64[n], keys of the cards, each of them once.
    """
    possible = (counts_of(drawn) <= deck).all(axis=1)
    keys = drawn[possible]
    parts = parts_of(keys)
    shared, here, there = np.intersect1d(parts, group.keys, assume_unique=True, return_indices=True)
    ways = _CHOOSE[deck, counts_of(shared)].prod(axis=1)
    signs = 1 - 2 * (_number_of_cards(shared) % 2)
    sums = np.zeros((len(parts), len(sizes.signs)))
    sums[here] = (signs / ways)[:, None] * group.sums[there]
    for value in range(VALUES):
        sums = _spread(parts, sums, value)
    likelier = (sums[np.searchsorted(parts, keys)] * sizes.coordinates[_number_of_cards(keys)]) @ sizes.signs
    chances = np.zeros(len(drawn))
    chances[possible] = chances_of_draws(deck, keys) * likelier
    return chances


def _number_of_cards(keys: Array) -> Array:
    return sum(_count(keys, value) for value in range(VALUES))


def _count(keys: Array, value: int) -> Array:
    return (keys >> (BITS * value)) & (2**BITS - 1)


def parts_of(keys: Array) -> Array:
    """Return the keys of all compositions that these have in them, in ascending order."""
    parts = np.sort(keys)
    for value in range(VALUES):
        fewer = [parts]
        while len(fewer[-1]):
            fewer.append(fewer[-1][_count(fewer[-1], value) > 0] - unit(value))
        parts = np.sort(np.concatenate(fewer))
        parts = parts[np.diff(parts, prepend=-1) > 0]
    return parts


def _summed(keys: Array, sums: Array, value: int) -> Array:
    """Return the sums over all numbers of cards of one value, each as often as the fewer are chosen out of them."""
    summed, count = sums.copy(), _count(keys, value)
    for more in range(1, int(count.max(initial=0)) + 1):
        begun = np.flatnonzero(count >= more)
        fewer = np.searchsorted(keys, keys[begun] - more * unit(value))
        summed[fewer] += _CHOOSE[count[begun], more][:, None] * sums[begun]
    return summed


def _spread(keys: Array, sums: Array, value: int) -> Array:
    """Add to each composition the sums of those with fewer cards of one value, times the ways to choose these."""
    spread, count = sums.copy(), _count(keys, value)
    for fewer in range(1, int(count.max(initial=0)) + 1):
        larger = np.flatnonzero(count >= fewer)
        smaller = np.searchsorted(keys, keys[larger] - fewer * unit(value))
        spread[larger] += _CHOOSE[count[larger], fewer][:, None] * sums[smaller]
    return spread
