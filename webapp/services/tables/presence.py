"""Signs of life. They come often and matter little, so a process gathers them for a moment and writes them together."""

from collections.abc import Mapping
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, update

from webapp.models import TableSeat
from webapp.services.tables.clock import now_ms
from webapp.services.transaction import writing

GATHER: Final = 1_000
"""Milliseconds."""
STALE: Final = 3_000
"""Milliseconds; see ``grain``."""

Sign = tuple[str, str]
"""Code of a table, and the player who gave it."""

_WRITE: Final = (
    update(TableSeat)
    .where(TableSeat.table_code == bindparam("code"), TableSeat.holder_id == bindparam("player"))
    .values(seen_at=bindparam("at"))
)


class Signs:
    """Of one process; by (code, holder), in milliseconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heard: dict[Sign, int] = {}
        self._written = 0

    def note(self, code: str, holder: str, at: int) -> None:
        with self._lock:
            self._heard[code, holder] = at

    def latest(self, code: str, holder: str) -> int:
        with self._lock:
            return self._heard.get((code, holder), 0)

    def due(self, now: int) -> Mapping[Sign, int]:
        """What is to be written now, by whoever asks: nothing, if that was done a moment ago."""
        with self._lock:
            if now - self._written < GATHER:
                return {}
            self._written, heard = now, self._heard
            self._heard = {}
            return heard


SIGNS: Final = Signs()


def grain(patience: int) -> int:
    """A sign newer than the one that is stored by no more than so many milliseconds need not be stored. ``patience``:
    after how many one is taken for absent."""
    return min(STALE, patience // 4)


def note(code: str, holder: str, stored: int, now: int, patience: int) -> None:
    """The holder of a seat is there; ``stored``: the sign that is known of."""
    if now - max(stored, SIGNS.latest(code, holder)) > grain(patience):
        SIGNS.note(code, holder, now)


def seen_at(code: str, holder: str, stored: int) -> int:
    """The latest sign of life."""
    return max(stored, SIGNS.latest(code, holder))


def write_down() -> None:
    """Store what has been gathered. Not inside another transaction."""
    heard = SIGNS.due(now_ms())
    if heard:
        with writing() as session:
            rows = [{"code": code, "player": player, "at": at} for (code, player), at in sorted(heard.items())]
            session.connection().execute(_WRITE, rows)
