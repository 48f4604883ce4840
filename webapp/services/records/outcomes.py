"""How hands came out: won, lost or drawn, by the code of what is said of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand

WON: Final = ("BLACKJACK", "WIN", "DEALER_BUST", "ROUND_WON")
DRAWN: Final = ("PUSH", "ROUND_EVEN")
LEFT: Final = ("FORFEITED", "VOID")


@dataclass(frozen=True, slots=True)
class WinLossCount:
    """Hands that were played out."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @classmethod
    def of(cls, counted: Iterable[tuple[str | None, int]]) -> Self:
        """Of how often there was each code."""
        counts = {"won": 0, "lost": 0, "drawn": 0}
        for code, count in counted:
            if code and code not in LEFT:
                counts["won" if code in WON else "drawn" if code in DRAWN else "lost"] += count
        return cls(**counts)

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def count_wins(player: str | None, game: str, table: str) -> WinLossCount:
    """A player's at one table."""
    mine = (Hand.player_id == player, Hand.game == game, Hand.variant == table, IS_PUBLIC)
    counted = select(Hand.outcome, func.count()).where(*mine).group_by(Hand.outcome)
    return WinLossCount.of((code, count) for code, count in db.session.execute(counted))
