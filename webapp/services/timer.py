"""The timer of a process: it does what has become due, so that nobody has to ask for it.

Two threads go through their jobs again and again: one through the quick jobs, so that clocks of tables are met within
300 ms, the other through the slow ones, for which no clock waits. Any number of processes do so on one database: a job
selects what is overdue, and changes it only if that is still so once it has the lock.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Final

import structlog

from webapp.config import Config
from webapp.extensions import db
from webapp.services.core import clock
from webapp.services.core.log_lines import is_first_of_minute
from webapp.services.deals import daily
from webapp.services.operations import retention
from webapp.services.review import reviews
from webapp.services.review.schedule import Sweep
from webapp.services.solo import expiry
from webapp.services.tables import clearing, due, gaps

log = structlog.get_logger()

PAUSE: Final = 0.15
"""Seconds between two rounds."""
MINUTE: Final = 60.0
"""In seconds, as is the following."""
HOUR: Final = 60 * MINUTE
LAST_JOB: Final = 5.0
"""Seconds for which ``stop`` waits for a job that is under way."""


@dataclass
class Job:
    """Something that is done again and again.

    ``every``: seconds from one time to the next, at least one round. ``first``: seconds before the first time.
    """

    name: str
    work: Callable[[], object]
    every: float = 0.0
    first: float = 0.0
    due_at: float = 0.0


def quick_jobs() -> list[Job]:
    """Return the jobs that take a moment: people at tables wait for them."""
    return [
        Job("time of day", clock.was_set_forward),  # noticed at once, and not when something would expire
        Job("gaps", gaps.look),
        Job("clocks", due.meet_clocks),
        Job("heartbeats", due.write_heartbeats),
        Job("absent players", due.mark_absent, every=3),
        Job("daily deals", daily.update_deals, every=MINUTE),
        Job("reviews that were worked out", reviews.store_worked_out, every=1),
    ]


def slow_jobs(config: Config) -> list[Job]:
    """Return the jobs that nobody waits for."""
    return [
        Job("overdue hands", expiry.close_all_overdue, MINUTE),
        Job("abandoned tables", clearing.close_abandoned, MINUTE),
        Job("reviews", Sweep(config).once, MINUTE),
        Job("pruning", lambda: retention.prune_by_timer(config), 24 * HOUR, first=HOUR),
    ]


class Timer:
    """The timer of one app, in each process that serves it.

    Args:
        open_context: Opens a context of the app.
    """

    def __init__(
        self, open_context: Callable[[], AbstractContextManager[object]], quick: Sequence[Job], slow: Sequence[Job]
    ) -> None:
        self._open_context = open_context
        self.quick, self.slow = quick, slow
        self._lock = Lock()
        self._process = 0
        self._stopped = Event()
        self._threads: list[Thread] = []

    def start(self) -> None:
        """Start the threads, unless this process has them. The quick jobs have been done once on return."""
        if self._process == os.getpid():
            return
        with self._lock:
            if self._process == os.getpid():
                return
            self._process, self._stopped = os.getpid(), Event()
            for job in (*self.quick, *self.slow):
                job.due_at = time.monotonic() + job.first
            self._do_what_is_due(self.quick)
            self._threads = [
                Thread(target=self._run, args=(jobs, self._stopped), name=name, daemon=True)
                for name, jobs in (("timer", self.quick), ("timer-slow", self.slow))
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Stop the threads, and wait for the jobs that are under way."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(LAST_JOB)
        self._process = 0

    def _run(self, jobs: Sequence[Job], stopped: Event) -> None:
        while True:
            self._do_what_is_due(jobs)
            if stopped.wait(PAUSE):
                return

    def _do_what_is_due(self, jobs: Sequence[Job]) -> None:
        with self._open_context():
            for job in jobs:
                if time.monotonic() >= job.due_at:
                    job.due_at = time.monotonic() + job.every
                    _do(job)


def _do(job: Job) -> None:
    try:
        job.work()
    except Exception as error:  # noqa: BLE001  # whatever fails, the others go on, and it is tried again
        if is_first_of_minute(f"timer {job.name}"):
            log.warning("timer", job=job.name, error=type(error).__name__)
    finally:
        db.session.remove()
