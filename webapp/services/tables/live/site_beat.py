"""The site's own beat: since when it has been listening without a gap.

A player is silent only while the site listens. While it was down, or the time of day was set, nobody could be heard:
afterwards all clocks start anew, at all tables and for all processes alike, whoever asks first.
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
"""Milliseconds between two beats of a process."""
GAP: Final = 3 * BEAT_MS
"""Milliseconds without a beat of any process after which the site has not been listening."""
ASK_AGAIN: Final = 1.0
"""Seconds after which a process that has no beat of its own looks for one again."""

_BEAT: Final = select(SiteBeat.at, SiteBeat.since)
_ROW: Final = select(SiteBeat).where(SiteBeat.id == 1).with_for_update()
_SOMEBODY_SITS: Final = select(TableSeat.number).where(~TableSeat.bot).limit(1)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Time in which the site was listening: ``since``, and ``at`` the latest beat that is known."""

    since: int
    at: int

    def ended_before(self, now: int) -> bool:
        """Return True if there was a gap after it, or if the time of day was set back since."""
        return not -GAP <= self.at - now <= GAP


NEVER: Final = Stretch(0, 0)
"""No process has a beat. Then nothing is known of any gap."""


class Listening:
    """The site's beat as one process knows it."""

    def __init__(self) -> None:
        self.stretch = NEVER
        self.asked_at = -ASK_AGAIN


def listening() -> Listening:
    """Return what this app knows of the site's beat."""
    return context.current().get(Listening, lambda _config: Listening())


def beat(now: int) -> None:
    """Store a beat of the site, in a transaction of its own; after a gap, that begins a new stretch.

    Nothing is written while nobody sits at any table; the process remembers that it was listening.
    """
    known = listening()
    without_gap = not known.stretch.ended_before(now)
    if without_gap and db.session.scalar(_SOMEBODY_SITS) is None:
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
    """Return True if the site has not been listening until now, which nobody has noticed yet. Nothing is written."""
    known = listening()
    if not known.stretch.ended_before(now):
        return False
    if known.stretch is NEVER and time.monotonic() - known.asked_at < ASK_AGAIN:
        return False
    _refresh()
    return known.stretch is not NEVER and known.stretch.ended_before(now)


def notice_gap(now: int) -> None:
    """Begin a new stretch if the site has not been listening until now. To be called before any lock is held."""
    if not has_gap(now):
        return
    known = listening()
    with writing() as session:
        row = session.scalars(_ROW).one()
        _resume_after_gap(row, now)
        stretch = Stretch(row.since, row.at)
    known.stretch = stretch


def since() -> int:
    """Return the time since which the site has been listening, as far as this process knows; 0 if nothing is known."""
    return listening().stretch.since


def read_since() -> int:
    """Return the same as it is stored, within a transaction that holds the lock of a table."""
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
