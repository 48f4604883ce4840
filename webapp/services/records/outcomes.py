"""Hands won, lost and drawn, by the codes of their results. Each game says which codes are which."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from sqlalchemy import func, select

from webapp.engine.games import GAMES
from webapp.engine.spec import Spec
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand

LEFT: Final = ("FORFEITED", "VOID")


@dataclass(frozen=True, slots=True)
class WinLossCount:
    """Hands that were played out."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @classmethod
    def of(cls, spec: Spec, counted: Iterable[tuple[str | None, int]]) -> Self:
        """Return the count of a game's results, from pairs of a code and how often it came."""
        counts = {"won": 0, "lost": 0, "drawn": 0}
        for code, count in counted:
            if code and code not in LEFT:
                counts["won" if code in spec.won else "drawn" if code in spec.drawn else "lost"] += count
        return cls(**counts)

    @property
    def played(self) -> int:
        """All of them."""
        return self.won + self.lost + self.drawn


def count_wins(player: str | None, game: str, table: str) -> WinLossCount:
    """Return how a player's hands at one table came out."""
    mine = (Hand.player_id == player, Hand.game == game, Hand.variant == table, IS_PUBLIC)
    counted = select(Hand.outcome, func.count()).where(*mine).group_by(Hand.outcome)
    return WinLossCount.of(GAMES[game].spec, ((code, count) for code, count in db.session.execute(counted)))
