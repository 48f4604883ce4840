"""In whose hands a run of the lab is: one foreman's at a time, on whichever machine he is.

He writes his name on the run whose turn begins, and the time for as long as he plays it. So who comes to work elsewhere
leaves it alone; if the time has not been written for a while, he and his machine are gone, and the run is anybody's.
The machines' clocks have to agree to some seconds: if they do not, a run is played twice, and counted once.
"""

from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, CursorResult, Update, and_, case, func, or_, select, update

from webapp.engine.simulation.statistics import Statistics
from webapp.extensions import db
from webapp.models import UNFINISHED, LabJob
from webapp.services.core.clock import now_ms
from webapp.services.core.transaction import writing
from webapp.services.lab.jobs import dump_statistics, queue

LEASE_SECONDS: Final = 30.0
"""After so long without a word a foreman is taken to be gone."""
BEAT_SECONDS: Final = 5.0
"""How often he gives word, however long a chunk takes."""


@dataclass(frozen=True, slots=True)
class Lease:
    """``name``: a word that no other has or had."""

    name: str

    def next(self) -> LabJob | None:
        """The first one that is in nobody's hands."""
        late = _late()
        rows = (db.session.get_one(LabJob, key, populate_existing=True) for key in queue())
        return next((row for row in rows if row.status == "waiting" or (row.noted_at or 0) < late), None)

    def take_up(self, former: str | None) -> None:
        """What ``former`` began, who was at work in this place before and is gone, and has not finished was
        interrupted: nobody leaves of himself while there is work. It goes on.
        """
        with writing():
            his = or_(LabJob.supervisor.is_(None), LabJob.supervisor == former)
            left = update(LabJob).where(LabJob.status.in_(UNFINISHED), LabJob.served > 0, his)
            _changed(left.values(status="waiting", interrupted=LabJob.interrupted + 1))
        db.session.remove()

    def begin_turn(self, key: str, chunks: int) -> bool:
        """False if the run has ended meanwhile, or is in somebody else's hands, or has come further than ``chunks``."""
        with writing() as session:
            turn = (session.scalars(select(func.max(LabJob.served))).one() or 0) + 1
            abandoned = and_(LabJob.status == "running", func.coalesce(LabJob.noted_at, 0) < _late())
            free = or_(LabJob.status == "waiting", abandoned)
            taken = update(LabJob).where(LabJob.key == key, LabJob.chunks == chunks, free)
            values = {
                "status": "running",
                "served": turn,
                "supervisor": self.name,
                "noted_at": now_ms(),
                "interrupted": LabJob.interrupted + case((abandoned, 1), else_=0),
            }
            return _changed(taken.values(values))

    def beat(self, key: str) -> None:
        """Still at it."""
        with writing():
            _changed(update(LabJob).where(*self._mine(key)).values(noted_at=now_ms()))

    def note(self, key: str, before: int, count: Statistics, seconds: float) -> bool:
        """Write down how far the run is. False if it is to be stopped, or is in other hands meanwhile."""
        with writing() as session:
            values = {
                "chunks": count.chunks,
                "counted": dump_statistics(count),
                "seconds": LabJob.seconds + seconds,
                "noted_at": now_ms(),
            }
            if not _changed(update(LabJob).where(*self._mine(key), LabJob.chunks == before).values(values)):
                return False
            stopped = session.scalars(select(LabJob.stop_asked).where(LabJob.key == key)).one()
        if stopped:
            self.end(key, "stopped")
        return not stopped

    def yield_turn(self, key: str) -> None:
        """To whoever is next."""
        with writing():
            _changed(update(LabJob).where(*self._mine(key)).values(status="waiting"))

    def end(self, key: str, status: str) -> None:
        with writing():
            _changed(update(LabJob).where(*self._mine(key)).values(status=status, finished_at=now_ms()))

    def _mine(self, key: str) -> tuple[ColumnElement[bool], ...]:
        return LabJob.key == key, LabJob.status == "running", LabJob.supervisor == self.name


def _late() -> int:
    return now_ms() - int(1000 * LEASE_SECONDS)


def _changed(statement: Update) -> bool:
    """Whether there was such a row."""
    done = db.session.execute(statement, execution_options={"synchronize_session": False})
    return bool(cast("CursorResult[Any]", done).rowcount)
