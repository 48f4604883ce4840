"""Ratings of decisions: what a player's latest ones have kept, by their cost alone, whatever the cards brought.

A rating is a mean, and says how far it may be off. A decision costs a share of its stake, or of the value of the best
action where nothing is staked. A thousand points are lost for the whole of it, so 1000 is perfect play. Only the latest
decisions count, so a rating may fall. Two made-up decisions are counted with them, one that cost nothing and one that
cost a fifth of the stake: of a few decisions nobody can say that they are perfect, and none is off by nothing.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import sqrt
from typing import Any, Final, Literal

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from webapp.engine.games import GAMES, SOLO
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import IS_PLAY, DrillAnswer, Hand, Player, Review
from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.deals.drills import drill_unit
from webapp.services.deals.puzzles import Verdict
from webapp.services.odds.desk import has_odds
from webapp.services.review.own_rounds import latest_rounds

LATEST: Final = 300
"""Decisions of a kind that count, the latest ones."""
LEAST: Final = 10
"""Decisions from which on a rating is told."""
POINTS: Final = 1000
MADE_UP: Final = (0.0, 0.2)
"""Shares of the made-up decisions. The second is where a mistake becomes a blunder."""
DEVIATIONS: Final = 2
"""Standard errors that a rating may be off by: about nineteen times out of twenty it is off by less."""
_PLAYED: Final = (
    select(Hand.stakes, Hand.variant, Review.summary)
    .join(Review, (Review.key == Hand.key) & (Review.version == VERSION))
    .where(Hand.player_id == bindparam("player"), Hand.game == bindparam("game"), IS_PLAY)
    .where(Hand.status == "done", ~Hand.helped, Review.summary.is_not(None))
    .order_by(Hand.seq.desc())
    .limit(LATEST)
)
_DRILLED: Final = (
    select(DrillAnswer.game, DrillAnswer.share)
    .where(DrillAnswer.player_id == bindparam("player"))
    .order_by(DrillAnswer.at.desc())
)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating of a player's decisions in a game, in hands that were ``played`` or in ``drill``s.

    ``points`` is off by less than ``within`` about nineteen times out of twenty.
    """

    game: str
    kind: Literal["played", "drill"]
    decisions: int
    points: int
    within: int


def rating(game: str, kind: Literal["played", "drill"], shares: Sequence[float]) -> Rating | None:
    """Return the rating of decisions that cost these shares, the latest first; None if they are too few."""
    counted = shares[:LATEST]
    if len(counted) < LEAST:
        return None
    all_of_them = (*counted, *MADE_UP)
    count = len(all_of_them)
    mean = sum(all_of_them) / count
    variance = sum((share - mean) ** 2 for share in all_of_them) / (count - 1)
    error = sqrt(variance / count)
    within = max(1, round(POINTS * DEVIATIONS * error))
    return Rating(game, kind, len(counted), max(0, round(POINTS * (1 - mean))), within)


def ratings_of(player: str | None) -> tuple[Rating, ...]:
    """Return the ratings of a player, game by game."""
    if player is None:
        return ()
    drilled: dict[str, list[float]] = {}
    for game, share in db.session.execute(_DRILLED, {"player": player}):
        drilled.setdefault(game, []).append(share)
    return tuple(
        found
        for game in GAMES
        if has_odds(game)
        for found in (
            rating(game, "played", tuple(islice(_played(player, game), LATEST))),
            rating(game, "drill", drilled.get(game, ())),
        )
        if found is not None
    )


def _played(player: str, game: str) -> Iterator[float]:
    """Yield what the decisions of the latest hands or rounds cost, the latest first. A fair bet is no decision."""
    if game not in SOLO:
        yield from _played_in_company(player, game)
        return
    for stakes, variant, summary in db.session.execute(_PLAYED, {"player": player, "game": game}):
        yield from reversed(_shares(json.loads(str(summary)), stakes, drill_unit(game, variant)))


def _played_in_company(player: str, game: str) -> Iterator[float]:
    for own in latest_rounds(player, LATEST):
        if own.game == game:
            yield from (each["cost"] / own.staked for each in reversed(own.decisions) if each["grade"])


def _shares(summary: Mapping[str, Any], stakes: str, unit: str) -> Sequence[float]:
    """Return the costs of a hand's decisions as shares of the stake of one box, or of the mean of the best values."""
    costs: Sequence[float] = summary["costs"]
    boxes = sum(stake not in ("", "0") for stake in stakes.split(","))
    parts = {"score": len(costs), "rounds": 0, "coins": 1}.get(unit, boxes)  # of several lines the decision is one
    measure = summary["measure"] / parts if parts else 1.0
    return [cost / measure if measure > 0 else 0.0 for cost in costs]


# ------------------------------------------------------------------------------------------------ drills


def note_drill(player: str, game: str, spot: str, verdict: Verdict) -> None:
    """Count the first answer of a player to a drill's decision; ``spot``: the word of its cards."""
    with suppress(Refusal), writing() as session:  # a player whom a restore has lost has no rating
        players.lock(player)
        count_answer(session, player, game, spot, verdict)


def awaits_answer(player: str | None, game: str, spot: str, verdict: Verdict) -> bool:
    """Return True if a player's answer to a drill's decision would count: whoever knows the best one cannot be rated.

    Args:
        player: None for a visitor who is none yet, and has no rating.
        verdict: that on any answer to it.
    """
    if player is None or verdict.grade is None or db.session.get(Player, player) is None:
        return False
    return db.session.get(DrillAnswer, (player, game, spot)) is None


def count_answer(session: Session, player: str, game: str, spot: str, verdict: Verdict) -> None:
    """Add an answer to those that are rated, once for each ``spot``. The caller writes, and has locked the player."""
    if verdict.grade is not None:
        keep_answer(session, player, game, spot, verdict.share)


def keep_answer(session: Session, player: str, game: str, spot: str, share: float) -> None:
    """Keep what an answer has cost, the first for each ``spot``, and the latest of a game."""
    if session.get(DrillAnswer, (player, game, spot)) is not None:
        return
    session.add(DrillAnswer(player_id=player, game=game, spot=spot, at=now_ms(), share=share))
    session.flush()
    own = (DrillAnswer.player_id == player, DrillAnswer.game == game)
    older = select(DrillAnswer.at).where(*own).order_by(DrillAnswer.at.desc()).offset(LATEST).limit(1)
    oldest = session.scalar(older)
    if oldest is not None:
        session.execute(delete(DrillAnswer).where(*own, DrillAnswer.at <= oldest))
