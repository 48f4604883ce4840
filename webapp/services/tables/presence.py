"""Heartbeats: when the holder of each seat was last seen. A process collects them and writes them together."""

from collections.abc import Mapping
from threading import Lock
from typing import Final

from flask import current_app
from sqlalchemy import bindparam, select, tuple_, update

from webapp.models import TableSeat
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing

GATHER: Final = 1_000
"""Milliseconds for which heartbeats are collected before they are written."""
STALE: Final = 3_000
"""Maximum milliseconds by which a stored heartbeat lags behind (see ``grain``)."""

HeldSeat = tuple[str, str]
"""Code of a table, and the player who acts for a seat there."""

_UNLOCKED: Final = (
    select(TableSeat.table_code, TableSeat.holder_id, TableSeat.away)
    .where(tuple_(TableSeat.table_code, TableSeat.holder_id).in_(bindparam("held_seats", expanding=True)))
    .with_for_update(skip_locked=True, key_share=True)
)
_WRITE: Final = (
    update(TableSeat)
    .where(TableSeat.table_code == bindparam("code"), TableSeat.holder_id == bindparam("player"))
    .where(TableSeat.seen_at < bindparam("at"))
    .values(seen_at=bindparam("at"))
)


class Heartbeats:
    """Heartbeats of one process that have not been written yet: unix milliseconds by seat."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._unwritten: dict[HeldSeat, int] = {}
        self._written_at = 0

    def note(self, code: str, holder: str, at: int, at_once: bool = False) -> None:
        """Add a heartbeat. ``at_once``: it is to be written without waiting for others."""
        with self._lock:
            self._unwritten[code, holder] = at
            if at_once:
                self._written_at = 0

    def postpone(self, code: str, holder: str, at: int) -> None:
        """Add a heartbeat again that could not be written, unless there is a newer one."""
        with self._lock:
            self._unwritten.setdefault((code, holder), at)

    def latest(self, code: str, holder: str) -> int:
        """Return the time of the heartbeat that has not been written yet; 0 if there is none."""
        with self._lock:
            return self._unwritten.get((code, holder), 0)

    def due(self, now: int) -> Mapping[HeldSeat, int]:
        """Remove and return the heartbeats to be written now: none if the last write was less than ``GATHER`` ago."""
        with self._lock:
            if 0 <= now - self._written_at < GATHER:
                return {}
            self._written_at, due = now, self._unwritten
            self._unwritten = {}
            return due


def heartbeats() -> Heartbeats:
    """Return the heartbeats that this app has collected."""
    heartbeats_of_app: Heartbeats = current_app.extensions["heartbeats"]
    return heartbeats_of_app


def grain(patience: int) -> int:
    """Return the milliseconds by which a heartbeat must be newer than the stored one to be written.

    ``patience``: milliseconds without a heartbeat after which a player counts as away.
    """
    return min(STALE, patience // 4)


def note(code: str, holder: str, stored: int, now: int, patience: int, away: bool) -> None:
    """Record a heartbeat of the holder of a seat, unless a recent one is known.

    ``stored``: the one in the row. ``away``: the seat is marked as away, which ends at once.
    """
    known = heartbeats()
    latest = max(stored, known.latest(code, holder))
    if not 0 <= now - latest <= grain(patience):  # later than now: the time of day was set back
        known.note(code, holder, now, at_once=away)


def seen_at(code: str, holder: str, stored: int) -> int:
    """Return the time of the latest heartbeat of the holder of a seat, written or not."""
    return max(stored, heartbeats().latest(code, holder))


def write_down() -> tuple[HeldSeat, ...]:
    """Write the collected heartbeats in a transaction of their own. Return the seats that are marked as away.

    Seats that a command has locked are postponed: waiting for the seats of several tables, one after the other, could
    cause a deadlock.
    """
    now, gathered = now_ms(), heartbeats()
    due = gathered.due(now)
    if not due:
        return ()
    with writing() as session:
        found = session.execute(_UNLOCKED, {"held_seats": list(due)})
        unlocked = {(code, holder): away for code, holder, away in found}
        rows = [{"code": code, "player": holder, "at": min(due[code, holder], now)} for code, holder in unlocked]
        if rows:
            session.connection().execute(_WRITE, rows)
    for code, holder in due.keys() - unlocked.keys():
        if now - due[code, holder] < STALE:  # an older one is of a player who has left the seat
            gathered.postpone(code, holder, due[code, holder])
    return tuple(seat for seat, away in unlocked.items() if away)
