"""Hands of a player that have no review yet, and their review while the player looks at the statistics."""

import time
from contextlib import suppress
from typing import Final

from sqlalchemy import select

from webapp.engine.games import GAMES
from webapp.engine.odds.review import VERSION
from webapp.engine.odds.value import NoOdds
from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, Review
from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending, has_odds
from webapp.services.records.lookup import finished_hand
from webapp.services.review.reviews import work_out

LATEST: Final = 200
"""Hands of a player that are looked at, from the latest one back: older ones have a review when they are opened."""
SECONDS: Final = 0.8
"""Time for which one request works off what waits."""


def catch_up(player: str) -> int:
    """Have the latest hands of a player reviewed, as many as there is time for. Return how many are left."""
    keys, deadline = unreviewed(player), time.monotonic() + SECONDS
    for place, key in enumerate(keys):
        try:
            with suppress(NoOdds):
                work_out(finished_hand(key), max(0.0, deadline - time.monotonic()))
        except Pending:
            return len(keys) - place
        except Refusal as error:
            if error.code != "hand-sealed":
                return 0  # nothing is worked out just now, and whoever asks every second makes it no better
    return 0


def unreviewed(player: str, before: int | None = None) -> tuple[str, ...]:
    """Return the hands among the latest of a player that have no review, the latest first.

    ``before``: time by which they were finished, if it matters.
    """
    priced = tuple(code for code in GAMES if has_odds(code))
    latest = (
        select(Hand.key, Hand.finished_at)
        .where(Hand.player_id == player, IS_PUBLIC, Hand.status == "done", Hand.game.in_(priced))
        .order_by(Hand.finished_at.desc(), Hand.key.desc())
        .limit(LATEST)
        .subquery()
    )
    is_reviewed = (Review.key == latest.c.key) & (Review.version == VERSION)
    missing = select(latest.c.key).outerjoin(Review, is_reviewed).where(Review.key.is_(None))
    if before is not None:
        missing = missing.where(latest.c.finished_at <= before)
    return tuple(db.session.scalars(missing.order_by(latest.c.finished_at.desc())))
