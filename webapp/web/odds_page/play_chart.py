"""The chart of best play as tables that are printed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from webapp.engine.simulation.strategy_chart import HANDS, HARD, NO_SPLIT, PAIRS, SOFT, WORDS, Strategy

HARD_TABLE: Final = "hard"
SOFT_TABLE: Final = "soft"
PAIRS_TABLE: Final = "pairs"


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Hands that are played alike, ``first`` to ``last``, and a word for each card of the dealer."""

    first: str
    last: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayChart:
    """Tables by name, each a row for hands that are played alike, and the words that stand in them."""

    tables: Mapping[str, tuple[ChartRow, ...]]
    words: tuple[str, ...]
    insure: bool


def chart_of(strategy: Strategy, splits: bool) -> PlayChart:
    """Return a strategy as tables; without one of pairs where nothing may be split.

    A pair that is not split is played by its total, and its row says how.
    """
    tables = {HARD_TABLE: _rows(strategy, HARD[1:-1]), SOFT_TABLE: _rows(strategy, SOFT)}
    if splits:
        tables[PAIRS_TABLE] = tuple(_pair(strategy, pair) for pair in reversed(PAIRS))
    used = {word for rows in tables.values() for row in rows for word in row.words}
    return PlayChart(tables, tuple(word for word in WORDS if word in used), strategy.insure)


def rows_by_hand(strategy: Strategy) -> Mapping[str, tuple[str, ...]]:
    """Return all rows of a strategy by hand."""
    return {hand: strategy.row(hand) for hand in HANDS}


def _rows(strategy: Strategy, hands: Sequence[str]) -> tuple[ChartRow, ...]:
    """Return a row for each run of hands that are played alike, the highest first."""
    return tuple(_alike(strategy, hands))


def _alike(strategy: Strategy, hands: Sequence[str]) -> Iterator[ChartRow]:
    for words, alike in groupby(reversed(hands), strategy.row):
        run = list(alike)
        yield ChartRow(run[-1], run[0], words)


def _pair(strategy: Strategy, pair: str) -> ChartRow:
    rank = pair[0]
    total = "A2" if rank == "A" else str(2 * (10 if rank == "T" else int(rank)))
    by_total = strategy.row(total)
    words = (other if word == NO_SPLIT else word for word, other in zip(strategy.row(pair), by_total, strict=True))
    return ChartRow(pair, pair, tuple(words))
