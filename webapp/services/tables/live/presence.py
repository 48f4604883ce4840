"""Heartbeats: when the holder of each seat was last seen. A process collects them and writes them together."""

from collections.abc import Mapping
from threading import Lock
from typing import Final

from sqlalchemy import bindparam, select, tuple_, update

from webapp.models import TableSeat
from webapp.services.core import context
from webapp.services.core.clock import now_ms
from webapp.services.core.transaction import writing
from webapp.services.tables.live import site_beat

GATHER: Final = 1_000
"""Milliseconds for which heartbeats are collected before they are written."""
STALE: Final = 3_000
"""Maximum milliseconds by which a stored heartbeat lags behind (see ``grain``)."""

HeldSeat = tuple[str, str]
"""Code of a table, and the player who acts for a seat there."""

_UNLOCKED: Final = (
    select(TableSeat.table_code, TableSeat.holder_id)
    .where(tuple_(TableSeat.table_code, TableSeat.holder_id).in_(bindparam("held_seats", expanding=True)))
    .with_for_update(skip_locked=True, key_share=True)
)
_WRITE: Final = (
    update(TableSeat)
    .where(TableSeat.table_code == bindparam("code"), TableSeat.holder_id == bindparam("player"))
    .values(seen_at=bindparam("at"))
)


class Heartbeats:
    """Heartbeats of one process that have not been written yet: unix milliseconds by seat."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._unwritten: dict[HeldSeat, int] = {}
        self._written_at = 0

    def note(self, code: str, holder: str, at: int) -> None:
        """Add a heartbeat."""
        with self._lock:
            self._unwritten[code, holder] = at

    def postpone(self, code: str, holder: str, at: int) -> None:
        """Add a heartbeat again that could not be written, unless there is a newer one."""
        with self._lock:
            self._unwritten.setdefault((code, holder), at)

    def latest(self, code: str, holder: str) -> int:
        """Return the time of the heartbeat that has not been written yet; 0 if there is none."""
        with self._lock:
            return self._unwritten.get((code, holder), 0)

    def are_due(self, now: int) -> bool:
        """Return True if there are heartbeats to write, and the last write was at least ``GATHER`` ago."""
        with self._lock:
            return bool(self._unwritten) and not 0 <= now - self._written_at < GATHER

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
    return context.current().get(Heartbeats, lambda _config: Heartbeats())


def grain(patience: int) -> int:
    """Return the milliseconds by which a heartbeat must be newer than the stored one to be written.

    ``patience``: milliseconds without a heartbeat after which a player counts as away.
    """
    return min(STALE, patience // 4)


def note(code: str, holder: str, stored: int, now: int, patience: int) -> None:
    """Record a heartbeat of the holder of a seat, unless a recent one is known. ``stored``: that of the row."""
    known = heartbeats()
    latest = max(stored, known.latest(code, holder))
    if now - latest > grain(patience) or latest > now + site_beat.GAP:
        known.note(code, holder, now)


def seen_at(code: str, holder: str, stored: int) -> int:
    """Return the time since which the holder of a seat has been silent.

    That is the latest heartbeat, stored or not, but no earlier than the site has been listening. Heartbeats in the
    future, which there are after the time of day was set back, are ignored.
    """
    heard = (stored, heartbeats().latest(code, holder))
    latest = now_ms() + site_beat.GAP
    return max(site_beat.since(), *(at for at in heard if at <= latest), 0)


def write_down() -> None:
    """Write the collected heartbeats in a transaction of their own.

    Seats that a command has locked are postponed: waiting for the seats of several tables, one after the other, could
    cause a deadlock.
    """
    now, gathered = now_ms(), heartbeats()
    due = gathered.due(now)
    if not due:
        return
    with writing() as session:
        unlocked = {(code, holder) for code, holder in session.execute(_UNLOCKED, {"held_seats": list(due)})}
        rows = [{"code": code, "player": holder, "at": due[code, holder]} for code, holder in unlocked]
        if rows:
            session.connection().execute(_WRITE, rows)
    for code, holder in due.keys() - unlocked:
        if now - due[code, holder] < STALE:  # an older one is of a player who has left the seat
            gathered.postpone(code, holder, due[code, holder])
