"""Finished hands that have no review yet: those of a player, those that ended lately, and all of them."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import select, union_all

from webapp.engine.games import GAMES
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import IS_DAILY, IS_PUBLIC, Hand, LedgerEntry, Review, TableRound
from webapp.services.core.clock import DAY
from webapp.services.core.days import day_of
from webapp.services.odds.desk import has_odds

LATEST: Final = 200
"""Hands of a player that are looked at, from the latest one back: older ones have a review when they are opened."""
LATELY: Final = 1000
"""Changes of purses, the latest ones, whose players and rounds are looked at."""
OF_EACH: Final = 5
"""Hands of a player, or rounds of tables, that come before others have their turn."""


@dataclass(frozen=True, slots=True)
class Unreviewed:
    """A hand without a review, and the player who may see it; None if everybody may."""

    key: str
    player: str | None = None


def of_player(player: str, before: int | None = None) -> tuple[str, ...]:
    """Return the keys of the hands among the latest of a player that have no review, the latest first.

    ``before``: time by which they were finished, if it matters.
    """
    latest = (
        select(Hand.key, Hand.finished_at)
        .where(Hand.player_id == player, IS_PUBLIC, Hand.status == "done", Hand.game.in_(_with_odds()))
        .order_by(Hand.finished_at.desc(), Hand.key.desc())
        .limit(LATEST)
        .subquery()
    )
    is_reviewed = (Review.key == latest.c.key) & (Review.version == VERSION)
    missing = select(latest.c.key).outerjoin(Review, is_reviewed).where(Review.key.is_(None))
    if before is not None:
        missing = missing.where(latest.c.finished_at <= before)
    return tuple(db.session.scalars(missing.order_by(latest.c.finished_at.desc())))


def of_all() -> tuple[str, ...]:
    """Return the keys of all hands and rounds that were played out and have no review, the latest first."""
    played = union_all(
        select(Hand.key, Hand.finished_at).where(IS_PUBLIC, Hand.status == "done", Hand.game.in_(_with_odds())),
        select(TableRound.key, TableRound.finished_at).where(
            TableRound.status == "done", TableRound.dealt, TableRound.game.in_(_with_odds())
        ),
    ).subquery()
    is_reviewed = (Review.key == played.c.key) & (Review.version == VERSION)
    missing = select(played.c.key).outerjoin(Review, is_reviewed).where(Review.key.is_(None))
    return tuple(db.session.scalars(missing.order_by(played.c.finished_at.desc(), played.c.key.desc())))


def of_lately(before: int, most: int, without: Set[str]) -> tuple[Unreviewed, ...]:
    """Return at most ``most`` hands that were finished before a time, except those with the keys in ``without``.

    Recent players are found by the ledger, without searching all hands.
    """
    found = (hand for part in (_of_daily_deals, _of_tables, _of_players) for hand in part(before, without))
    return tuple(islice(found, most))


def _with_odds() -> tuple[str, ...]:
    """Return the codes of the games whose hands can be reviewed."""
    return tuple(code for code in GAMES if has_odds(code))


def _of_daily_deals(before: int, without: Set[str]) -> Iterator[Unreviewed]:
    days = (day_of(before), day_of(before - DAY))
    keys = [f"{day}-{code}" for day in days for code in _with_odds()]
    rounds = (
        select(Hand.key, Hand.player_id)
        .outerjoin(Review, (Review.key == Hand.key) & (Review.version == VERSION))
        .where(Hand.daily_key.in_(keys), IS_DAILY, Hand.status == "done")
        .where(Hand.finished_at <= before, Review.key.is_(None), Hand.key.not_in(without))
    )
    for key, player in db.session.execute(rounds.limit(LATELY)).all():
        yield Unreviewed(key, player)


def _of_tables(before: int, without: Set[str]) -> Iterator[Unreviewed]:
    lately = select(LedgerEntry.round_key).order_by(LedgerEntry.id.desc()).limit(LATELY).subquery()
    rounds = (
        select(TableRound.key)
        .outerjoin(Review, (Review.key == TableRound.key) & (Review.version == VERSION))
        .where(TableRound.key.in_(select(lately.c.round_key)), TableRound.status == "done", TableRound.dealt)
        .where(TableRound.finished_at <= before, Review.key.is_(None), TableRound.key.not_in(without))
    )
    for key in db.session.scalars(rounds.limit(OF_EACH)).all():
        yield Unreviewed(key)


def _of_players(before: int, without: Set[str]) -> Iterator[Unreviewed]:
    lately = select(LedgerEntry.player_id).order_by(LedgerEntry.id.desc()).limit(LATELY)
    for player in dict.fromkeys(db.session.scalars(lately).all()):
        keys = (key for key in of_player(player, before) if key not in without)
        for key in islice(keys, OF_EACH):
            yield Unreviewed(key)
