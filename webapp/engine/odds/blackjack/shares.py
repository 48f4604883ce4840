"""Shares of a bet that a natural wins, a surrender loses and an insurance costs."""

from dataclasses import dataclass
from typing import Final

from webapp.engine.games.blackjack.rules import BlackjackRules

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
