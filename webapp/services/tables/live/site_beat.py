"""The heartbeat of the site itself: since when it has been listening without a gap.

Players must not lose their seats because the site was down or the time of day was set. After such a gap all clocks
start again, at all tables and for all processes.
"""

import time
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy import select

from webapp.extensions import db
from webapp.models import SiteBeat, TableSeat
from webapp.services.core import context
from webapp.services.core.transaction import writing

log = structlog.get_logger()

BEAT_MS: Final = 3_000
"""Milliseconds between two beats of each process."""
GAP: Final = 3 * BEAT_MS
"""Milliseconds without a beat of any process that count as a gap."""
REFRESH_SECONDS: Final = 1.0
"""Seconds after which a process that knows of no beat reads the row again."""

_BEAT: Final = select(SiteBeat.at, SiteBeat.since)
_ROW: Final = select(SiteBeat).where(SiteBeat.id == 1).with_for_update()
_ANY_PLAYER_SEATED: Final = select(TableSeat.number).where(~TableSeat.bot).limit(1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A period in which the site was listening, from ``since`` to ``at``, the latest known beat (unix milliseconds)."""

    since: int
    at: int

    def ended_before(self, now: int) -> bool:
        """Return True if there was a gap between the latest beat and ``now``, or if the time of day was set back."""
        return not -GAP <= self.at - now <= GAP


NEVER: Final = Stretch(0, 0)
"""No beat is known, and therefore no gap."""


class Listening:
    """What one process knows of the site's beat."""

    def __init__(self) -> None:
        self.stretch = NEVER
        self.asked_at = -REFRESH_SECONDS


def listening() -> Listening:
    """Return what this app knows of the site's beat."""
    return context.current().get(Listening, lambda _config: Listening())


def beat(now: int) -> None:
    """Store a beat of the site in a transaction of its own; after a gap, begin a new stretch.

    While no player sits at any table, the beat is kept in memory only.
    """
    known = listening()
    without_gap = not known.stretch.ended_before(now)
    if without_gap and db.session.scalar(_ANY_PLAYER_SEATED) is None:
        known.stretch = Stretch(known.stretch.since, now)
        return
    with writing() as session:
        row = session.scalars(_ROW).one_or_none()
        if row is None:
            row = SiteBeat(id=1, at=now, since=now)
            session.add(row)
        if not without_gap:
            _resume_after_gap(row, now)
        row.at = now
        stretch = Stretch(row.since, row.at)
    known.stretch = stretch


def has_gap(now: int) -> bool:
    """Return True if there is a gap until ``now`` that no process has stored yet. Writes nothing."""
    known = listening()
    if not known.stretch.ended_before(now):
        return False
    if known.stretch is NEVER and time.monotonic() - known.asked_at < REFRESH_SECONDS:
        return False
    _refresh()
    return known.stretch is not NEVER and known.stretch.ended_before(now)


def notice_gap(now: int) -> None:
    """Begin a new stretch if there is a gap until ``now``. To be called before any lock is held."""
    if not has_gap(now):
        return
    known = listening()
    with writing() as session:
        row = session.scalars(_ROW).one()
        _resume_after_gap(row, now)
        stretch = Stretch(row.since, row.at)
    known.stretch = stretch


def since() -> int:
    """Return the time since which the site has been listening, as far as this process knows; 0 if unknown."""
    return listening().stretch.since


def read_since() -> int:
    """Return the same, read from the database within a transaction that holds the lock of a table."""
    _refresh()
    return since()


def _refresh() -> None:
    known, row = listening(), db.session.execute(_BEAT).one_or_none()
    known.asked_at = time.monotonic()
    known.stretch = NEVER if row is None else Stretch(row.since, row.at)


def _resume_after_gap(row: SiteBeat, now: int) -> None:
    if Stretch(row.since, row.at).ended_before(now):
        log.warning("site was not listening", seconds=(now - row.at) // 1000)
        row.since = row.at = now
