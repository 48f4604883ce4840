"""The double-up: one open card, four hidden ones; the pick must be higher. Usable after any winning poker hand."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from webapp.engine.cards import Card, Rank

CARDS = 5
"""Dealt in a round: the open one, then the four to pick from."""


class Outcome(StrEnum):
    WIN = "win"
    TIE = "tie"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class DoubleUp:
    """The house rules. ``tie``: a ``push`` lets the score stand and deals a fresh round; it counts as a round, not as
    a win. At any of the three limits the score is collected without asking; it never passes ``max_score``.
    """

    tie: Literal["push", "win"] = "push"
    max_wins: int = 10
    max_score: int = 999_999
    max_rounds: int = 20

    def outcome(self, open_card: Card, picked: Card) -> Outcome:
        if picked.rank == open_card.rank:
            return Outcome.WIN if self.tie == "win" else Outcome.TIE
        return Outcome.WIN if picked.rank > open_card.rank else Outcome.LOSE

    def after(self, outcome: Outcome, score: int) -> int:
        """The score that a round leaves."""
        if outcome is Outcome.LOSE:
            return 0
        return min(2 * score, self.max_score) if outcome is Outcome.WIN else score


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is dealt; ``picked`` (1 to 4) and what follows from it once there is a pick."""

    cards: tuple[Card, ...]
    before: int
    picked: int | None = None
    outcome: Outcome | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round as a viewer sees it: four Nones until the pick, then all four cards."""

    open: Card
    picks: tuple[Card | None, ...]
    picked: int | None
    outcome: Outcome | None
    before: int
    after: int | None

    @classmethod
    def of(cls, round: Round) -> "RoundView":
        open_card, *hidden = round.cards
        picks = (None,) * len(hidden) if round.picked is None else tuple(hidden)
        return cls(open_card, picks, round.picked, round.outcome, round.before, round.after)


@dataclass(frozen=True, slots=True)
class Odds:
    """Of the 51 cards that are not the open one: how many win, tie and lose."""

    win: int
    tie: int
    lose: int

    @classmethod
    def of(cls, open_card: Card) -> "Odds":
        win = 4 * (Rank.ACE - open_card.rank)
        return cls(win, 3, 48 - win)
