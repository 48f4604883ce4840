"""Signs of life. They come often and matter little, so a process gathers them for a moment and writes them together."""

from collections.abc import Mapping
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, select, tuple_, update

from webapp.models import TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.transaction import writing

GATHER: Final = 1_000
"""Milliseconds."""
STALE: Final = 3_000
"""Milliseconds; see ``grain``."""

Heartbeat = tuple[str, str]
"""Code of a table, and the player who gave it."""

_FREE: Final = (
    select(TableSeat.table_code, TableSeat.holder_id)
    .where(tuple_(TableSeat.table_code, TableSeat.holder_id).in_(bindparam("signs", expanding=True)))
    .with_for_update(skip_locked=True, key_share=True)
)
_WRITE: Final = (
    update(TableSeat)
    .where(TableSeat.table_code == bindparam("code"), TableSeat.holder_id == bindparam("player"))
    .values(seen_at=bindparam("at"))
)


class Heartbeats:
    """Of one process; by (code, holder), in milliseconds."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heard: dict[Heartbeat, int] = {}
        self._written = 0

    def note(self, code: str, holder: str, at: int) -> None:
        with self._lock:
            self._heard[code, holder] = at

    def keep(self, code: str, holder: str, at: int) -> None:
        """For the next time, if nothing newer has been heard."""
        with self._lock:
            self._heard.setdefault((code, holder), at)

    def latest(self, code: str, holder: str) -> int:
        with self._lock:
            return self._heard.get((code, holder), 0)

    def due(self, now: int) -> Mapping[Heartbeat, int]:
        """What is to be written now, by whoever asks: nothing, if that was done a moment ago."""
        with self._lock:
            if now - self._written < GATHER:
                return {}
            self._written, heard = now, self._heard
            self._heard = {}
            return heard


HEARTBEATS: Final = Heartbeats()


def grain(patience: int) -> int:
    """A sign newer than the one that is stored by no more than so many milliseconds need not be stored. ``patience``:
    after how many one is taken for absent."""
    return min(STALE, patience // 4)


def note(code: str, holder: str, stored: int, now: int, patience: int) -> None:
    """The holder of a seat is there; ``stored``: the sign that is known of."""
    if now - max(stored, HEARTBEATS.latest(code, holder)) > grain(patience):
        HEARTBEATS.note(code, holder, now)


def seen_at(code: str, holder: str, stored: int) -> int:
    """The latest sign of life."""
    return max(stored, HEARTBEATS.latest(code, holder))


def write_down() -> None:
    """Store what has been gathered. Not inside another transaction.

    Seats that a deed holds just now are left for the next time: whoever waits for seats of several tables one after
    another may wait for somebody who waits for them.
    """
    now = now_ms()
    heard = HEARTBEATS.due(now)
    if not heard:
        return
    with writing() as session:
        free = {(code, holder) for code, holder in session.execute(_FREE, {"signs": list(heard)})}
        rows = [{"code": code, "player": holder, "at": heard[code, holder]} for code, holder in free]
        if rows:
            session.connection().execute(_WRITE, rows)
    for code, holder in heard.keys() - free:
        if now - heard[code, holder] < STALE:  # else nobody sits there any more
            HEARTBEATS.keep(code, holder, heard[code, holder])
