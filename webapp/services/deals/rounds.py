"""The daily deals that there are: games, tables, bets, and how many rounds each has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DailyTable:
    """The table of a daily deal: its variant, the stakes of each round, and how many rounds there are."""

    variant: str
    stakes: tuple[int, ...] = ()
    rounds: int = 1


TABLES: Final[Mapping[str, DailyTable]] = {
    "poker": DailyTable("quest"),
    "joker": DailyTable("kings-or-better", (10,)),
    "blackjack": DailyTable("vegas", (10,), rounds=5),
}
ROUNDS: Final[Mapping[str, int]] = {code: table.rounds for code, table in TABLES.items()}
"""Rounds of a daily deal, by the code of its game."""
