"""A round of a drill: ten answers, as one short text that the addresses of its pages carry along."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from webapp.engine.game import AnyGame
from webapp.engine.odds import is_kind
from webapp.services.core.clock import SECOND
from webapp.services.deals.puzzles import Puzzle, Verdict

ROUND: Final = 10
"""Answers of a round."""
_MOST_SECONDS: Final = 999
_PARTS: Final = 10_000
"""A cost is noted in so many parts of the unit."""
_ANSWER: Final = re.compile(
    r"([a-z0-9-]{0,40})\.([0-9]{1,9})\.([0-9]{1,3})(?:\.([A-Za-z0-9]{1,20})\.([a-z0-9-]{1,40})\.([a-z0-9~-]{0,170}))?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: the widest kind of the decision, "" if it has none, what it cost on average, and how long it took.

    Of one that was not the best: the word of its spot, the action, and the kinds that were looked for, so that it can
    be looked at again. They are empty where that is not so, and in addresses from before they were noted.
    """

    kind: str
    cost: float
    seconds: int
    spot: str = ""
    action: str = ""
    kinds: tuple[str, ...] = ()

    def __str__(self) -> str:
        noted = f"{self.kind}.{round(self.cost * _PARTS)}.{self.seconds}"
        return f"{noted}.{self.spot}.{self.action}.{'~'.join(self.kinds)}" if self.spot else noted

    @classmethod
    def read(cls, word: str) -> "Answered | None":
        """Return the answer that a word notes."""
        found = _ANSWER.fullmatch(word)
        if not found:
            return None
        kind, cost, seconds, spot, action, kinds = found.groups()
        wanted = tuple(kinds.split("~")) if kinds else ()
        return cls(kind, int(cost) / _PARTS, int(seconds), spot or "", action or "", wanted)


@dataclass(frozen=True, slots=True)
class DrillRound:
    """The answers so far."""

    answers: tuple[Answered, ...] = ()

    @classmethod
    def read(cls, text: str) -> "DrillRound":
        """Return the round that an address carries; what cannot be read, and what is too much, is left out."""
        found = (Answered.read(word) for word in text.split("_")[:ROUND])
        return cls(tuple(one for one in found if one))

    def of_game(self, game: AnyGame) -> "DrillRound":
        """Return the round with the kinds that decisions of a game can be of: an address may hold any word."""
        return DrillRound(tuple(replace(one, kind=one.kind if is_kind(game, one.kind) else "") for one in self.answers))

    def __str__(self) -> str:
        return "_".join(map(str, self.answers))

    def with_answer(
        self, puzzle: Puzzle, verdict: Verdict, milliseconds: int, spot: str = "", kinds: tuple[str, ...] = ()
    ) -> "DrillRound":
        """Return the round with one more answer, to a spot of the drill that was looked for by its kinds.

        One that is over stays as it is: its spots are only looked at again.
        """
        if self.is_over:
            return self
        answered = self.adding(puzzle.kinds[-1] if puzzle.kinds else "", verdict.cost, milliseconds)
        if not verdict.cost:
            return answered
        *before, last = answered.answers
        return DrillRound((*before, replace(last, spot=spot, action=str(verdict.answer.action), kinds=kinds)))

    def adding(self, kind: str, cost: float, milliseconds: int) -> "DrillRound":
        """Return the round with one more answer, which took so long."""
        seconds = min(_MOST_SECONDS, max(0, round(milliseconds / SECOND)))
        return DrillRound((*self.answers, Answered(kind, cost, seconds))[-ROUND:])

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def is_over(self) -> bool:
        """True after ten answers."""
        return len(self.answers) >= ROUND

    @property
    def right(self) -> int:
        """Answers of which none was better."""
        return sum(not answer.cost for answer in self.answers)

    @property
    def cost(self) -> float:
        """What all answers cost together, in the unit of the table."""
        return sum(answer.cost for answer in self.answers)

    @property
    def seconds(self) -> int:
        """How long all answers took together."""
        return sum(answer.seconds for answer in self.answers)

    @property
    def slowest(self) -> tuple[str, float] | None:
        """The kind of decisions that took longest on average, and its seconds; None if there is only one kind."""
        means: Mapping[str, float] = dict(self._means())
        return max(means.items(), key=lambda item: item[1]) if len(means) > 1 else None

    def _means(self) -> Iterator[tuple[str, float]]:
        known = sorted((answer for answer in self.answers if answer.kind), key=lambda answer: answer.kind)
        for kind, answers in groupby(known, key=lambda answer: answer.kind):
            seconds = [answer.seconds for answer in answers]
            yield kind, sum(seconds) / len(seconds)
