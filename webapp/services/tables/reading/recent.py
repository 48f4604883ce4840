"""The latest rounds of a shared table."""

from typing import Final

from sqlalchemy import select

from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.core import context
from webapp.services.core.cache import Cache
from webapp.services.records.stored_round import PastRoundFacts, is_sealed, past_round

RECENT: Final = 5
"""Rounds in the list of a table."""
KEPT: Final = 1024
"""Tables of which an app keeps the list."""


class RecentRounds(Cache[tuple[str, str], tuple[PastRoundFacts, ...]]):
    """The latest rounds by the code of a table and the key of its round in play or to come."""


def last_dealt(table: SharedTable) -> TableRound | None:
    """Return the latest round with cards: they lie on the table until the next deal."""
    query = select(TableRound).where(TableRound.table_code == table.code, TableRound.dealt)
    return db.session.scalars(query.order_by(TableRound.seq.desc()).limit(1)).one_or_none()


def latest_rounds(code: str, round_key: str) -> tuple[PastRoundFacts, ...]:
    """Return the latest finished rounds, newest first.

    They change when a round is finished, and then ``round_key``, the key of the round in play or to come, changes too.
    """
    cache = context.current().get(RecentRounds, lambda _config: RecentRounds(KEPT))
    return cache.get((code, round_key), lambda: _latest_rounds(code))


def _latest_rounds(code: str) -> tuple[PastRoundFacts, ...]:
    finished = (TableRound.table_code == code, TableRound.dealt, TableRound.finished_at.is_not(None))
    newest = select(TableRound).where(*finished).order_by(TableRound.seq.desc()).limit(RECENT)
    return tuple(past_round(round) for round in db.session.scalars(newest) if not is_sealed(round))
