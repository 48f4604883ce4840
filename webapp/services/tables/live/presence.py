"""Heartbeats: when the holder of a seat was last there. A process gathers them and writes them together."""

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
"""Milliseconds for which heartbeats are gathered before they are written."""
STALE: Final = 3_000
"""Milliseconds by which a stored heartbeat may lag behind, at most (see ``grain``)."""

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
    """Heartbeats of one process that are not written yet, in unix milliseconds by seat."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._unwritten: dict[HeldSeat, int] = {}
        self._written_at = 0

    def note(self, code: str, holder: str, at: int) -> None:
        """Note a heartbeat."""
        with self._lock:
            self._unwritten[code, holder] = at

    def postpone(self, code: str, holder: str, at: int) -> None:
        """Note a heartbeat that could not be written, unless there is a newer one."""
        with self._lock:
            self._unwritten.setdefault((code, holder), at)

    def latest(self, code: str, holder: str) -> int:
        """Return the time of a heartbeat that is not written yet, or 0."""
        with self._lock:
            return self._unwritten.get((code, holder), 0)

    def are_due(self, now: int) -> bool:
        """Return True if there is something to write, and the last time was not a moment ago."""
        with self._lock:
            return bool(self._unwritten) and not 0 <= now - self._written_at < GATHER

    def due(self, now: int) -> Mapping[HeldSeat, int]:
        """Take out what the caller has to write now: nothing if the last time was a moment ago."""
        with self._lock:
            if 0 <= now - self._written_at < GATHER:
                return {}
            self._written_at, due = now, self._unwritten
            self._unwritten = {}
            return due


def heartbeats() -> Heartbeats:
    """Return the heartbeats that this app has gathered."""
    return context.current().get(Heartbeats, lambda _config: Heartbeats())


def grain(patience: int) -> int:
    """Return how much newer than the stored heartbeat one must be to be stored, in milliseconds.

    ``patience``: milliseconds without a heartbeat after which a player counts as away.
    """
    return min(STALE, patience // 4)


def note(code: str, holder: str, stored: int, now: int, patience: int) -> None:
    """Note that the holder of a seat is there now, if that is news. ``stored``: the heartbeat known from the row."""
    known = heartbeats()
    latest = max(stored, known.latest(code, holder))
    if now - latest > grain(patience) or latest > now + site_beat.GAP:
        known.note(code, holder, now)


def seen_at(code: str, holder: str, stored: int) -> int:
    """Return the time since which the holder of a seat may have been silent.

    That is the latest heartbeat, stored or not written yet, but not before the site was listening. One that is to come,
    since the time of day was set back, says nothing.
    """
    heard = (stored, heartbeats().latest(code, holder))
    latest = now_ms() + site_beat.GAP
    return max(site_beat.since(), *(at for at in heard if at <= latest), 0)


def write_down() -> None:
    """Write the heartbeats that have been gathered, in a transaction of their own.

    Seats that a command has locked are left for the next time: a writer that waited for seats of several tables, one
    after the other, could be half of a deadlock.
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
