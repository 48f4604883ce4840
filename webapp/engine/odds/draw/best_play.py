"""The return of optimal play with one exchange, over all hands that can be dealt, as an exact fraction.

Hands that differ only in the names of their suits have the same holds. One of each kind is looked at, and counted as
often as there are such hands.
"""

import hashlib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial
from typing import Any, Final

import numpy as np

from webapp.engine.odds.draw.final_hands import (
    CHOOSE_ARRAY,
    COLUMNS,
    HAND,
    JOKER_NUMBER,
    HandLines,
    LineTables,
    name_of,
)
from webapp.engine.odds.draw.hold_counts import KEPT, draws, hold_counts_of_many
from webapp.engine.odds.value import TableStore

Array = Any

_SUITS: Final = 4
_NEAR: Final = 1e-12
_CHUNK: Final = 4096


def average_of_best(tables: LineTables, line_values: Sequence[Fraction], store: TableStore, jokers: int) -> Fraction:
    """Return the average of the best hold over all hands; ``line_values`` says what each line is worth, from none."""
    return _moment_of_best(1, tables, line_values, store, jokers)


def variance_of_best(tables: LineTables, line_values: Sequence[Fraction], store: TableStore, jokers: int) -> Fraction:
    """Return the variance of what a hand comes to whose best hold is drawn, over all hands and draws.

    Of holds that are equally good the first counts: another one might bring results that lie further apart.
    """
    mean, mean_square = (_moment_of_best(power, tables, line_values, store, jokers) for power in (1, 2))
    return mean_square - mean**2


def _moment_of_best(
    power: int, tables: LineTables, line_values: Sequence[Fraction], store: TableStore, jokers: int
) -> Fraction:
    digest = hashlib.sha256(repr(line_values).encode()).hexdigest()[:16]
    name = f"{name_of(tables.pay_table, jokers)}.best-{digest}"
    counts = store.tables(name, lambda: {"counts": _counts_of_best(tables, line_values)})["counts"]
    total = sum(
        (
            value**power * Fraction(int(counts[kept, line]), comb(tables.deck - HAND, HAND - kept))
            for kept in range(HAND + 1)
            for line, value in enumerate(line_values)
        ),
        Fraction(0),
    )
    return total / comb(tables.deck, HAND)


def _counts_of_best(tables: LineTables, values: Sequence[Fraction]) -> Array:
    """Return how many hands of each line the best holds lead to, by the number of kept cards: int64[6, COLUMNS]."""
    kept, led_to = np.array(KEPT), np.zeros((HAND + 1, COLUMNS), np.int64)
    for _, times, holds, counts in best_holds(tables, values):
        np.add.at(led_to, kept[holds], counts * times[:, None])
    return led_to


def best_holds(tables: LineTables, values: Sequence[Fraction]) -> Iterator[tuple[Array, Array, Array, Array]]:
    """Yield hands of all kinds in pieces, for how many hands each stands, its best hold, and the lines it leads to."""
    kinds, times = kinds_of_hands(tables.deck)
    lines = HandLines(tables.pay_table, tables.deck).all()[CHOOSE_ARRAY[kinds, np.arange(1, HAND + 1)].sum(axis=1)]
    drawn = draws(tables.deck)
    weights = np.zeros(COLUMNS)
    weights[: len(values)] = [float(value) for value in values]
    for start in range(0, len(kinds), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        counts = hold_counts_of_many(tables, kinds[chunk], lines[chunk])
        averages = counts @ weights / np.array(drawn, float)[:, None]
        chosen = averages.argmax(axis=0)
        for place in np.flatnonzero(_near_ties(averages)):
            chosen[place] = _best(counts[:, place], values, drawn)
        yield kinds[chunk], times[chunk], chosen, counts[chosen, np.arange(len(chosen))]


def _near_ties(averages: Array) -> Array:
    """Return for which hands two holds are too close for floating-point numbers, but not equal: bool[hands]."""
    best = averages.max(axis=0)
    return ((averages > best * (1 - _NEAR)) & (averages != best)).any(axis=0)


def _best(counts: Array, values: Sequence[Fraction], drawn: Sequence[int]) -> int:
    """Return the best hold of a hand, exactly."""
    rows = counts.tolist()
    averages = [
        sum((value * count for value, count in zip(values, row, strict=False)), Fraction(0)) / number
        for row, number in zip(rows, drawn, strict=True)
    ]
    return averages.index(max(averages))


def kinds_of_hands(deck: int) -> tuple[Array, Array]:
    """Return one hand or a few of each kind, int64[kinds, 5] in ascending order, and for how many hands each stands.

    Of all ways to name the suits, hands are kept in which the suits that a rank brings in are the first unused ones.
    With n new suits in a rank there are n! such ways, and u! to name the u suits that are not there.
    """
    hands, used, fresh, ways = (np.zeros((1, 0), np.int64), *(np.array([n], np.int64) for n in (0, 0, 1)))
    for _ in range(HAND):
        longer = []
        for card in range(deck):
            last = hands[:, -1] if hands.shape[1] else np.full(1, -1)
            suit = -1 if card == JOKER_NUMBER else card % _SUITS
            kept = (last < card) & (suit <= used)
            new = np.equal(used[kept], suit).astype(np.int64)
            before = np.where(last[kept] // _SUITS == card // _SUITS, fresh[kept], 0)
            cards = np.column_stack([hands[kept], np.full(int(kept.sum()), card)])
            longer.append((cards, used[kept] + new, before + new, ways[kept] * np.where(new, before + 1, 1)))
        hands, used, fresh, ways = (np.concatenate(column) for column in zip(*longer, strict=True))
    unused = np.array([factorial(_SUITS - count) for count in range(_SUITS + 1)])
    return hands, factorial(_SUITS) // (ways * unused[used])
