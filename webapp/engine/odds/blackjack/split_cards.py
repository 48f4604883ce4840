"""The chance that cards of two groups of hands can be drawn from one deck together, and that none of a split is bust.

Each group is drawn as if the whole deck were its own, and then no card may be in both. Cards that would be are taken
out by inclusion and exclusion: every way to draw the groups, less those in which a certain card is shared, plus those
in which two are, and so on. For a composition J of shared cards the part is

    (-1)^|J| / C(deck, J) * (sum over the draws A of one group: C(A, J) * chance of A) * (the same of the other group)

where C is a product of binomial coefficients over the ten values. Nothing is left out: the result is exact.

The chance that no hand is bust is needed if a natural that is found only after the boxes have played takes no more than
the first bet of a box: then a box without a bust hand loses one bet. The hands of a box draw from one deck, so their
draws are combined: those of two hands pair by pair, those of three and four by the cards they have in common.
"""

from collections.abc import Callable
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np

from webapp.engine.odds.blackjack.compositions import BITS, VALUES, chances_of_draws, counts_of, unit
from webapp.engine.twenty_one.hand import BEST

Array = Any

_CHOOSE: Final = np.array([[comb(n, k) for k in range(2**BITS)] for n in range(2**BITS)], float)
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
    def of(cls, cards: float) -> "Sizes":
        """Return the coordinates for a deck of this number of cards."""
        size = np.arange(int(min(cards, _MOST_CARDS)) + 1)
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
    ways = _ways(deck, shared)
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
    ways = _ways(deck, shared)
    signs = 1 - 2 * (_number_of_cards(shared) % 2)
    sums = np.zeros((len(parts), len(sizes.signs)))
    sums[here] = (signs / ways)[:, None] * group.sums[there]
    for value in range(VALUES):
        sums = _spread(parts, sums, value)
    likelier = (sums[np.searchsorted(parts, keys)] * sizes.coordinates[_number_of_cards(keys)]) @ sizes.signs
    chances = np.zeros(len(drawn))
    chances[possible] = chances_of_draws(deck, keys) * likelier
    return chances


def _ways(deck: Array, keys: Array) -> Array:
    """Return in how many ways these cards can be chosen from a deck: float[n]. Its counts need not be whole numbers."""
    counts = counts_of(keys)
    most = np.arange(int(counts.max(initial=0)))
    ways = np.hstack((np.ones((VALUES, 1)), np.cumprod((deck[:, None] - most) / (most + 1), axis=1)))
    return ways[np.arange(VALUES), counts].prod(axis=1)


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


_AT_ONCE: Final = 200_000
"""Pairs of compositions that are in memory at a time."""


class WithNatural(NamedTuple):
    """What hands draw from while the dealer has a natural: the deck without the hidden card, and the chance of it."""

    deck: Array
    chance: float


class HandsWithoutBust:
    """Draws of the hands of a split without a bust.

    Args:
        kinds: the draws of a hand, by its kind. Kinds may share the array of their keys.
        unseen: returns the cards that are left after a number of cards of the pair.
    """

    def __init__(self, kinds: tuple[Draws, ...], unseen: Callable[[int], WithNatural]) -> None:
        self.kinds, self.unseen = kinds, unseen
        self._both: dict[tuple[int, ...], Draws] = {}
        self._sizes: dict[int, Sizes] = {}
        self._parts: dict[tuple[tuple[int, ...], int], Array] = {}
        self._sums: dict[tuple[tuple[int, ...], int], SharedSums] = {}
        self._known: dict[tuple[tuple[int, ...], int], float] = {}

    def joint(self, hands: tuple[int, ...], again: int) -> float:
        """Return the chance that none of these hands is bust, and the dealer has a natural.

        Args:
            hands: the kind of each of the hands, in ascending order; four at most.
            again: cards of the pair that are gone.
        """
        if (hands, again) not in self._known:
            natural = self.unseen(again)
            self._known[hands, again] = natural.chance * self._no_bust(hands, again) if natural.chance else 0.0
        return self._known[hands, again]

    def _no_bust(self, hands: tuple[int, ...], again: int) -> float:
        """Return the chance that none of the hands is bust, given the natural."""
        if not hands:
            return 1.0
        deck = self.unseen(again).deck
        if len(hands) <= 2:
            draws = self._draws(hands).within(deck)
            return float((draws.orders * chances_of_draws(deck, draws.keys)).sum())
        first, others = self.shared(hands[:2], again), self.shared(hands[2:], again)
        return chance_together(deck, first, others, self.sizes(again))

    def sizes(self, again: int) -> Sizes:
        """Return the sizes for the deck without a number of cards of the pair."""
        if again not in self._sizes:
            self._sizes[again] = Sizes.of(float(self.unseen(again).deck.sum()))
        return self._sizes[again]

    def alike(self, hands: tuple[int, ...]) -> tuple[int, ...]:
        """Return kinds that draw the same cards as these do, in more orders or fewer: the first of each."""
        return tuple(
            next(kind for kind, draws in enumerate(self.kinds) if draws.keys is self.kinds[hand].keys) for hand in hands
        )

    def _draws(self, hands: tuple[int, ...]) -> Draws:
        """Return the draws of one hand or of two together."""
        if len(hands) == 1:
            return self.kinds[hands[0]]
        if hands not in self._both:
            self._both[hands] = _together(*(self.kinds[kind] for kind in hands))
        return self._both[hands]

    def shared(self, hands: tuple[int, ...], again: int) -> SharedSums:
        """Return the sums of one hand or of two."""
        if (hands, again) not in self._sums:
            deck = self.unseen(again).deck
            draws = self._draws(hands).within(deck)
            cards = self.alike(hands), again
            if cards not in self._parts:
                self._parts[cards] = parts_of(draws.keys)
            self._sums[hands, again] = SharedSums.of(draws, deck, self.sizes(again), self._parts[cards])
        return self._sums[hands, again]


def _together(one: Draws, other: Draws) -> Draws:
    """Return the draws of two hands together, every composition once."""
    rows = max(1, _AT_ONCE // len(other.keys))
    parts = [_rows_together(one, slice(start, start + rows), other) for start in range(0, len(one.keys), rows)]
    return _gathered(np.concatenate([part.keys for part in parts]), np.concatenate([part.orders for part in parts]))


def _rows_together(one: Draws, rows: slice, other: Draws) -> Draws:
    return _gathered(
        (one.keys[rows, None] + other.keys[None, :]).ravel(),
        (one.orders[rows, None] * other.orders[None, :]).ravel(),
    )


def _gathered(keys: Array, orders: Array) -> Draws:
    """Return draws with every composition once."""
    distinct, place = np.unique(keys, return_inverse=True)
    return Draws(distinct, np.bincount(place, orders))
