"""A lease on simulation jobs: at most one supervisor, on any machine, plays a job.

A supervisor writes its name on the job whose turn begins, and the time for as long as it plays it. Other supervisors
leave the job alone until the time is too long ago: then the supervisor and its machine are gone, and the job is free.
The clocks of the machines have to agree to some seconds: if they do not, a job is played twice and counted once.
"""

from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, CursorResult, Update, and_, case, func, or_, select, update

from webapp.engine.simulation.statistics import Statistics
from webapp.extensions import db
from webapp.models import UNFINISHED, LabJob
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.lab.jobs import dump_statistics
from webapp.services.lab.queue import keys_in_turn

LEASE_SECONDS: Final = 30.0
"""Age of the last heartbeat from which a supervisor is taken to be gone."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The jobs of one supervisor, whose ``name`` no other supervisor has or had."""

    name: str

    def next_job(self) -> LabJob | None:
        """Return the first job in turn that no supervisor holds."""
        expired = _expired_before()
        rows = (db.session.get_one(LabJob, key, populate_existing=True) for key in keys_in_turn())
        return next((row for row in rows if row.status == "waiting" or (row.heartbeat_at or 0) < expired), None)

    def requeue_orphans(self, former: str | None) -> None:
        """Put the jobs that the former supervisor of this instance left unfinished back into the queue.

        It was interrupted, since a supervisor does not leave while there are jobs.
        """
        with writing():
            left = or_(LabJob.supervisor.is_(None), LabJob.supervisor == former)
            orphans = update(LabJob).where(LabJob.status.in_(UNFINISHED), LabJob.last_turn > 0, left)
            _execute(orphans.values(status="waiting", interrupted=LabJob.interrupted + 1))
        db.session.remove()

    def begin_turn(self, key: str, chunks: int) -> bool:
        """Take a job of which this number of chunks are counted.

        Return False if it is finished, or held by another supervisor, or has come further in the meantime.
        """
        with writing() as session:
            turn = (session.scalars(select(func.max(LabJob.last_turn))).one() or 0) + 1
            abandoned = and_(LabJob.status == "running", func.coalesce(LabJob.heartbeat_at, 0) < _expired_before())
            free = or_(LabJob.status == "waiting", abandoned)
            values = {
                "status": "running",
                "last_turn": turn,
                "supervisor": self.name,
                "heartbeat_at": now_ms(),
                "interrupted": LabJob.interrupted + case((abandoned, 1), else_=0),
            }
            return _execute(update(LabJob).where(LabJob.key == key, LabJob.chunks == chunks, free).values(values))

    def heartbeat(self, key: str) -> None:
        """Record that the job is still being played."""
        with writing():
            _execute(update(LabJob).where(*self._held(key)).values(heartbeat_at=now_ms()))

    def save_progress(self, key: str, chunks_before: int, statistics: Statistics, seconds: float) -> bool:
        """Store the statistics of a job, of which ``chunks_before`` chunks were stored before.

        Return False if it is to be stopped, or is not held any more.
        """
        with writing() as session:
            values = {
                "chunks": statistics.chunks,
                "statistics": dump_statistics(statistics),
                "seconds": LabJob.seconds + seconds,
                "heartbeat_at": now_ms(),
            }
            if not _execute(update(LabJob).where(*self._held(key), LabJob.chunks == chunks_before).values(values)):
                return False
            stopped = session.scalars(select(LabJob.stop_requested).where(LabJob.key == key)).one()
        if stopped:
            self.finish(key, "stopped")
        return not stopped

    def yield_turn(self, key: str) -> None:
        """Put the job back into the queue."""
        with writing():
            _execute(update(LabJob).where(*self._held(key)).values(status="waiting"))

    def finish(self, key: str, status: str) -> None:
        """End the job as done, stopped or failed."""
        with writing():
            _execute(update(LabJob).where(*self._held(key)).values(status=status, finished_at=now_ms()))

    def _held(self, key: str) -> tuple[ColumnElement[bool], ...]:
        return LabJob.key == key, LabJob.status == "running", LabJob.supervisor == self.name


def _expired_before() -> int:
    return now_ms() - int(1000 * LEASE_SECONDS)


def _execute(statement: Update) -> bool:
    """Execute an update and return True if it changed a row."""
    result = db.session.execute(statement, execution_options={"synchronize_session": False})
    return bool(cast("CursorResult[Any]", result).rowcount)
