"""The latest rounds of a shared table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import current_app
from sqlalchemy import bindparam, select

from webapp.extensions import db
from webapp.models import SharedTable, TableRound
from webapp.services.core.cache import Cache
from webapp.services.records.stored_round import PastRoundFacts, is_sealed, past_round, round_returns

RECENT: Final = 5
"""Rounds in the list of a table."""
# put together once: building a statement takes as long as running it
_NEWEST_FIRST: Final = (
    select(TableRound).where(TableRound.table_code == bindparam("code")).order_by(TableRound.seq.desc())
)
_IS_FINISHED: Final = TableRound.finished_at.is_not(None)
_LAST_DEALT: Final = _NEWEST_FIRST.where(TableRound.dealt).limit(1)
_LAST_FINISHED: Final = _NEWEST_FIRST.where(_IS_FINISHED).limit(1)
_LATEST_PLAYED: Final = _NEWEST_FIRST.where(TableRound.dealt, _IS_FINISHED).limit(RECENT)


@dataclass(frozen=True, slots=True)
class Ended:
    """What has ended at a table: the latest rounds, newest first, and what went back, by player, with the last one.

    ``round_key``: that of the round in play or to come, when this was read. If the table has another one, another round
    has ended since.
    """

    round_key: str
    rounds: tuple[PastRoundFacts, ...]
    returned: Mapping[str, int]


class RecentRounds(Cache[str, Ended]):
    """What has ended, by the code of a table. Of each only the last list is kept: nobody asks for earlier ones."""


def last_dealt(table: SharedTable) -> TableRound | None:
    """Return the latest round with cards: they lie on the table until the next deal."""
    return db.session.scalars(_LAST_DEALT, {"code": table.code}).one_or_none()


def latest_rounds(code: str, round_key: str) -> tuple[PastRoundFacts, ...]:
    """Return the latest finished rounds, newest first.

    They change when a round is finished, and then ``round_key``, the key of the round in play or to come, changes too.
    """
    return _ended(code, round_key).rounds


def last_returns(code: str, round_key: str) -> Mapping[str, int]:
    """Return the chips that went back with the last round, by player: none if it is not void.

    It may have ended before cards were dealt, and is in no list then.
    """
    return _ended(code, round_key).returned


def _ended(code: str, round_key: str) -> Ended:
    recent: RecentRounds = current_app.extensions["recent_rounds"]
    kept = recent.get(code, lambda: _read(code, round_key))
    return kept if kept.round_key == round_key else recent.put(code, _read(code, round_key))


def _read(code: str, round_key: str) -> Ended:
    return Ended(round_key, _latest_rounds(code), _last_returns(code))


def _latest_rounds(code: str) -> tuple[PastRoundFacts, ...]:
    finished = db.session.scalars(_LATEST_PLAYED, {"code": code})
    return tuple(past_round(round) for round in finished if not is_sealed(round))


def _last_returns(code: str) -> Mapping[str, int]:
    last = db.session.scalars(_LAST_FINISHED, {"code": code}).one_or_none()
    return dict(round_returns(last)) if last else {}
