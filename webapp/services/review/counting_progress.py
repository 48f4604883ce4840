"""How far off a player's answers to the drills of counting and at the table are, and were before."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from sqlalchemy import bindparam, exists, select

from webapp.extensions import db
from webapp.models import DrillAnswer
from webapp.services import players
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.review.ratings import keep_answer

DRILLS: Final = ("deck", "true", "tray", "plays")
AT_THE_TABLE: Final = "table"
"""What is asked between two rounds, as of a drill: see ``asked_counts``."""
LATEST: Final = 20
"""Answers that are compared with as many before them."""
STEP: Final = 10
"""Answers for each point of a line."""
_PARTS: Final = 100
_ANSWERS: Final = (
    select(DrillAnswer.share)
    .where(DrillAnswer.player_id == bindparam("player"), DrillAnswer.game == bindparam("drill"))
    .order_by(DrillAnswer.at)
)


@dataclass(frozen=True, slots=True)
class Progress:
    """The answers to a drill, the oldest first.

    ``errors``: by how much each was off, in points of the count or in decks, or what it has cost, in bets.
    """

    drill: str
    errors: Sequence[float]

    @property
    def answers(self) -> int:
        """How many there are."""
        return len(self.errors)

    @property
    def right(self) -> int:
        """How many were exact."""
        return sum(not error for error in self.errors)

    @property
    def latest(self) -> float:
        """By how much the latest answers were off on average."""
        return fmean(self.errors[-LATEST:])

    @property
    def before(self) -> float | None:
        """By how much as many answers before them were off; None if there are not as many."""
        return fmean(self.errors[-2 * LATEST : -LATEST]) if self.answers >= 2 * LATEST else None

    @property
    def course(self) -> tuple[int, ...]:
        """Hundredths by which each ten answers were off on average, for a line; the oldest few are left out."""
        starts = range(self.answers % STEP, self.answers, STEP)
        return tuple(round(_PARTS * fmean(self.errors[start : start + STEP])) for start in starts)


def note_count(player: str, drill: str, question: str, error: float, alike: str = "") -> None:
    """Count the first answer of a player to a question.

    Args:
        question: The word of its cards, and its place in them.
        alike: How questions begin of which only one is counted: they ask about the same cards.
    """
    with suppress(Refusal), writing() as session:  # a player whom a restore has lost
        players.lock(player)
        if not alike or not is_answered(player, drill, alike):
            keep_answer(session, player, _kept_as(drill), question, error)


def is_answered(player: str, drill: str, alike: str) -> bool:
    """Return True if a question that begins like this was answered by a player."""
    own = (DrillAnswer.player_id == player, DrillAnswer.game == _kept_as(drill))
    return db.session.scalar(select(exists().where(*own, DrillAnswer.spot.startswith(alike, autoescape=True)))) is True


def kept_error(player: str, drill: str, question: str) -> float | None:
    """Return by how much the first answer of a player to a question was off; None if there is none."""
    kept = db.session.get(DrillAnswer, (player, _kept_as(drill), question))
    return kept.share if kept else None


def progress_of(player: str | None) -> tuple[Progress, ...]:
    """Return what is known of each drill that a player has answered."""
    if player is None:
        return ()
    found = (
        Progress(drill, db.session.scalars(_ANSWERS, {"player": player, "drill": _kept_as(drill)}).all())
        for drill in (*DRILLS, AT_THE_TABLE)
    )
    return tuple(each for each in found if each.errors)


def _kept_as(drill: str) -> str:
    return f"count-{drill}"
