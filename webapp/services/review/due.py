"""Hands that have no review though they were finished a while ago, found by what ended last."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import select

from webapp.engine.games import GAMES
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import DAILY, LedgerEntry, PracticeHand, Review, TableRound
from webapp.services.core.clock import DAY, MINUTE, now_ms
from webapp.services.core.days import day_of
from webapp.services.odds.desk import has_odds
from webapp.services.review.backlog import unreviewed

QUIET: Final = MINUTE
"""Time after which a hand is reviewed though nobody has asked: who plays on is not to be slowed down by it."""
LATELY: Final = 1000
"""Changes of purses, the latest ones, whose players and rounds are looked at."""
OF_EACH: Final = 5
"""Hands of a player, or rounds of tables, that come before others have their turn."""


@dataclass(frozen=True, slots=True)
class Due:
    """A hand without a review, and the player who may see it; None if everybody may."""

    key: str
    player: str | None = None


def due(most: int, without: Set[str]) -> tuple[Due, ...]:
    """Return at most so many hands, but for some that can have no review.

    The ledger says who has played lately: no list of all hands is looked through.
    """
    before = now_ms() - QUIET
    found = (each for part in (_of_daily_deals, _of_tables, _of_players) for each in part(before, without))
    return tuple(islice(found, most))


def _of_daily_deals(before: int, without: Set[str]) -> Iterator[Due]:
    days = (day_of(before), day_of(before - DAY))
    keys = [f"{day}-{code}" for day in days for code in GAMES if has_odds(code)]
    rounds = (
        select(PracticeHand.key, PracticeHand.player_id)
        .outerjoin(Review, (Review.key == PracticeHand.key) & (Review.version == VERSION))
        .where(PracticeHand.daily_key.in_(keys), PracticeHand.kind == DAILY, PracticeHand.status == "done")
        .where(PracticeHand.finished_at <= before, Review.key.is_(None), PracticeHand.key.not_in(without))
    )
    for key, player in db.session.execute(rounds.limit(LATELY)).all():
        yield Due(key, player)


def _of_tables(before: int, without: Set[str]) -> Iterator[Due]:
    lately = select(LedgerEntry.round_key).order_by(LedgerEntry.id.desc()).limit(LATELY).subquery()
    rounds = (
        select(TableRound.key)
        .outerjoin(Review, (Review.key == TableRound.key) & (Review.version == VERSION))
        .where(TableRound.key.in_(select(lately.c.round_key)), TableRound.status == "done", TableRound.dealt)
        .where(TableRound.finished_at <= before, Review.key.is_(None), TableRound.key.not_in(without))
    )
    for key in db.session.scalars(rounds.limit(OF_EACH)).all():
        yield Due(key)


def _of_players(before: int, without: Set[str]) -> Iterator[Due]:
    lately = select(LedgerEntry.player_id).order_by(LedgerEntry.id.desc()).limit(LATELY)
    for player in dict.fromkeys(db.session.scalars(lately).all()):
        keys = (key for key in unreviewed(player, before) if key not in without)
        for key in islice(keys, OF_EACH):
            yield Due(key)
