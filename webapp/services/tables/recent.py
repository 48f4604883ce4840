"""What went before at a shared table: the last rounds, and who won what."""

from functools import lru_cache
from typing import Final

from sqlalchemy import select

from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.records.stored_round import PastRoundFacts, past_round

__all__ = ["PastRoundFacts", "last_dealt", "latest_rounds", "past_round"]

RECENT: Final = 5


def last_dealt(table: SharedTable) -> TableRound | None:
    """Whose cards lie until the next one."""
    query = select(TableRound).where(TableRound.table_code == table.code, TableRound.dealt)
    return db.session.scalars(query.order_by(TableRound.seq.desc()).limit(1)).one_or_none()


@lru_cache(maxsize=1024)
def latest_rounds(code: str, _round_key: str) -> tuple[PastRoundFacts, ...]:
    """The last rounds, newest first. They change when one is finished, and then the key of the next one does."""
    finished = (TableRound.table_code == code, TableRound.dealt, TableRound.finished_at.is_not(None))
    newest = select(TableRound).where(*finished).order_by(TableRound.seq.desc()).limit(RECENT)
    return tuple(past_round(round) for round in db.session.scalars(newest))
