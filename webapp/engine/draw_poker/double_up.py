"""The double-up: one open card, four hidden ones; the pick must be higher. Usable after any winning poker hand."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from webapp.engine.cards import Card, Rank

CARDS = 5
"""Cards of a round: the open one, then the four to pick from."""


class DoubleUpOutcome(StrEnum):
    """Outcome of a pick."""

    WIN = "win"
    TIE = "tie"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class DoubleUp:
    """Rules of the double-up.

    ``tie``: a ``push`` lets the score stand and deals a fresh round; it counts as a round, not as a win. At any of the
    three limits the score is collected without asking; it never passes ``max_score``.
    """

    tie: Literal["push", "win"] = "push"
    max_wins: int = 10
    max_score: int = 999_999
    max_rounds: int = 20

    def is_fair(self, score: int) -> bool:
        """Return True if doubling a score is worth as much as collecting it."""
        return self.tie == "push" and 2 * score <= self.max_score

    def outcome(self, open_card: Card, picked: Card) -> DoubleUpOutcome:
        """Return the outcome of a pick: ranks are compared, aces are high."""
        if picked.rank == open_card.rank:
            return DoubleUpOutcome.WIN if self.tie == "win" else DoubleUpOutcome.TIE
        return DoubleUpOutcome.WIN if picked.rank > open_card.rank else DoubleUpOutcome.LOSE

    def after(self, outcome: DoubleUpOutcome, score: int) -> int:
        """Return the score after a round."""
        if outcome is DoubleUpOutcome.LOSE:
            return 0
        return min(2 * score, self.max_score) if outcome is DoubleUpOutcome.WIN else score


@dataclass(frozen=True, slots=True)
class DoubleUpRound:
    """A round that is dealt. ``picked`` (1 to 4), ``outcome`` and ``after`` are None until there is a pick."""

    cards: tuple[Card, ...]
    before: int
    picked: int | None = None
    outcome: DoubleUpOutcome | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class DoubleUpRoundView:
    """A round as a viewer sees it: four Nones until the pick, then all four cards."""

    open: Card
    picks: tuple[Card | None, ...]
    picked: int | None
    outcome: DoubleUpOutcome | None
    before: int
    after: int | None

    @classmethod
    def of(cls, round: DoubleUpRound) -> "DoubleUpRoundView":
        """Return the view of a round."""
        open_card, *hidden = round.cards
        picks = (None,) * len(hidden) if round.picked is None else tuple(hidden)
        return cls(open_card, picks, round.picked, round.outcome, round.before, round.after)


@dataclass(frozen=True, slots=True)
class DoubleUpOdds:
    """Numbers of cards that win, tie and lose, of the 51 that are not the open one."""

    win: int
    tie: int
    lose: int

    @classmethod
    def of(cls, open_card: Card) -> "DoubleUpOdds":
        """Return the odds against an open card."""
        win = 4 * (Rank.ACE - open_card.rank)
        return cls(win, 3, 48 - win)
