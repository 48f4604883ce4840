"""Index numbers as tables that are printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from webapp.engine.odds.blackjack.count_index import LETTERS
from webapp.engine.simulation.strategy_chart import HARD, SOFT
from webapp.web.api.odds_answers import IndexAnswer, IndexPlayAnswer
from webapp.web.i18n.vocabulary import signed
from webapp.web.odds_page.play_chart import HARD_TABLE, PAIRS_TABLE, SOFT_TABLE


@dataclass(frozen=True, slots=True)
class IndexCell:
    """A decision: the letter of its action by basic strategy, and the letters below and above each index."""

    basic: str
    turns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class IndexTables:
    """Tables by name, a row of cells for each hand with an index, and the letters that stand in them."""

    tables: Mapping[str, Mapping[str, tuple[IndexCell, ...]]]
    letters: Mapping[str, str]


def tables_of(answer: IndexAnswer) -> IndexTables:
    """Return index numbers as tables, the highest hands first."""
    by_hand = {hand: tuple(map(_cell, plays)) for hand, plays in groupby(answer.plays, key=lambda play: play.hand)}
    tables: dict[str, dict[str, tuple[IndexCell, ...]]] = {}
    for hand, cells in reversed(by_hand.items()):
        if any(cell.turns for cell in cells):
            name = HARD_TABLE if hand in HARD else SOFT_TABLE if hand in SOFT else PAIRS_TABLE
            tables.setdefault(name, {})[hand] = cells
    shown = {letter for rows in tables.values() for cells in rows.values() for cell in cells for letter in _in(cell)}
    letters = {letter: verb for verb, letter in LETTERS.items() if letter in shown}
    return IndexTables(
        {name: tables[name] for name in (HARD_TABLE, SOFT_TABLE, PAIRS_TABLE) if name in tables}, letters
    )


def _cell(play: IndexPlayAnswer) -> IndexCell:
    turns = (
        (signed(turn.index) if turn.index else "0", LETTERS[turn.below], LETTERS[turn.above]) for turn in play.turns
    )
    return IndexCell(LETTERS[play.basic], tuple(turns))


def _in(cell: IndexCell) -> set[str]:
    return {cell.basic, *(letter for _, below, above in cell.turns for letter in (below, above))}
