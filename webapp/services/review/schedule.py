"""When finished hands are reviewed: when they are looked at, or by the timer some time after their end.

- Opening a hand, or a daily deal that one has played, requests its review (``reviews.work_out``).
- Opening one's own statistics requests reviews of one's latest hands, as many as there is time for (``review_latest``).
- Other hands are reviewed after a minute (``Sweep``), so that the review is ready when they are opened. One process of
  an instance at a time does this, one hand after another, for a few seconds of each minute: requests of visitors never
  wait for long.
- ``tefuda review`` reviews all hands without a review (``batch``).

The first three are computed by the child process of ``worker``, which has one queue for all hands of the site.
"""

import fcntl
import time
from collections.abc import Iterator, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sqlalchemy import select, union_all

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.engine.games import GAMES
from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import NoOdds
from webapp.extensions import db
from webapp.models import IS_DAILY, IS_PUBLIC, Hand, LedgerEntry, Review, TableRound
from webapp.services.core.clock import DAY, MINUTE, day_of, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending, has_odds
from webapp.services.records.lookup import finished_hand
from webapp.services.review.reviews import is_stored_soon, store_worked_out, work_out

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


SECONDS: Final = 0.8
"""Time for which one request works off the hands of whoever looks at their statistics."""
QUIET: Final = MINUTE
"""Time after which a hand is reviewed though nobody has asked: who plays on is not to be slowed down by it."""
AT_ONCE: Final = 50
"""Hands of one sweep at most."""
SWEEP_SECONDS: Final = 4.0
"""Time of one sweep. A review that takes longer goes on, and is fetched with the next one."""
MOST_GIVEN_UP: Final = 1000
"""Hands without a review that are remembered, so that they are not tried for ever."""


def review_latest(player: str) -> int:
    """Have the latest hands of a player reviewed, as many as there is time for. Return how many are left."""
    keys, deadline = of_player(player), time.monotonic() + SECONDS
    for place, key in enumerate(keys):
        try:
            with suppress(NoOdds):
                work_out(finished_hand(key), max(0.0, deadline - time.monotonic()))
        except Pending:
            return len(keys) - place
        except Refusal as error:
            if error.code != "hand-sealed":
                return 0  # the worker is busy or missing: try again later
    return sum(map(is_stored_soon, keys))


class Sweep:
    """The sweeps of one process."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._given_up: set[str] = set()

    def once(self) -> int:
        """Have hands reviewed that were finished a while ago, and return how many were."""
        count, deadline = 0, time.monotonic() + SWEEP_SECONDS
        with self._alone() as alone:
            for hand in self._next_hands() if alone else ():
                try:
                    work_out(finished_hand(hand.key, hand.player), max(0.0, deadline - time.monotonic()))
                    count += 1
                except Pending:
                    break
                except Refusal as error:
                    if error.code == "odds-later":
                        break
                    self._give_up(hand.key)
                except EngineError:
                    self._give_up(hand.key)
        store_worked_out()
        return count

    def _next_hands(self) -> tuple[Unreviewed, ...]:
        return of_lately(now_ms() - QUIET, AT_ONCE, frozenset(self._given_up))

    def _give_up(self, key: str) -> None:
        if len(self._given_up) >= MOST_GIVEN_UP:
            self._given_up.clear()
        self._given_up.add(key)

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Yield whether reviews are worked out here, and no other process of the instance has it done just now."""
        if not self._config.lab_workers:
            yield False
            return
        with (self._config.instance / ".reviews").open("a") as lock:
            alone = False
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                alone = True
            yield alone
