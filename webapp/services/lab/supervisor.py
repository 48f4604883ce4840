"""The supervisor: it has simulation jobs played, in turns.

A process of the site that has workers runs it in a thread, and ``tefuda lab work`` without the site. It takes a file
lock, so that there is one for each instance; it stores the statistics of jobs as they come, and continues jobs that an
earlier supervisor left unfinished, but not those that a supervisor on another machine holds (see ``lease``). Chunks
that were not stored are played again, with the same result.
"""

import fcntl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import structlog
from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.engine.simulation.statistics import Statistics
from webapp.extensions import db
from webapp.models import LabJob
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.core.worker_process import TaskFailed
from webapp.services.lab import queue
from webapp.services.lab.index_numbers import Later, with_index_numbers
from webapp.services.lab.jobs import counting_of, statistics_of, words_of
from webapp.services.lab.lease import Lease
from webapp.services.lab.pool import ExperimentWords, play_words
from webapp.services.team import Team
from webapp.services.workers import Workers

log = structlog.get_logger()

TURN_SECONDS: Final = 2.0
"""Time for which a job is played before the next one has its turn."""
SAVE_SECONDS: Final = 0.4
"""Time between two moments at which the progress of a job is stored."""
FAULTS: Final = (
    *(TaskFailed, BrokenProcessPool, EngineError, Refusal),
    *(ArithmeticError, LookupError, TypeError, ValueError, MemoryError),
)
"""Errors that come of a job itself, such as workers that die again and again. The job fails; the others go on."""
IDLE_SECONDS: Final = 60.0
"""Time without a job after which ``tefuda lab work`` exits."""
POLL_SECONDS: Final = 0.2
"""Time between two looks for a job when there is none."""
WATCH_SECONDS: Final = 5.0
"""The same in the site, which is told when a job is begun in the same process."""

FEW_ROUNDS: Final = ExperimentWords("vegas", "mimic", None, None, None, None, rounds=10, seed=1, bet=10, chunk=10)

_begun: Final = threading.Event()
_watched: Final[set[Path]] = set()
"""Instances that this process watches."""


def wake() -> None:
    """Have the supervisor of this process look for a job at once."""
    _begun.set()


def start(config: Config, app_context: Callable[[], AbstractContextManager[object]]) -> None:
    """Start the thread that has jobs played, unless this process has one."""
    if config.instance not in _watched:
        _watched.add(config.instance)
        threading.Thread(target=watch, args=(config, app_context), name="lab-watch", daemon=True).start()


def watch(config: Config, app_context: Callable[[], AbstractContextManager[object]]) -> None:
    """Have jobs played whenever there are some. It never returns, so a thread of the site runs it."""
    while config.lab_workers:
        try:
            with app_context():
                if not queue.is_empty():
                    _play_here(config)
        except SQLAlchemyError as error:
            log.warning("lab-watch-failed", error=type(error).__name__)
        except CancelledError:  # the site ends
            return
        _begun.wait(WATCH_SECONDS)
        _begun.clear()


def _play_here(config: Config) -> None:
    workers: Workers = current_app.extensions["workers"]
    with lock(config.instance) as taken:
        if taken:
            play_jobs(config.instance, Team(workers.later, config.lab_workers), IDLE_SECONDS)


def run_forever(config: Config, open_team: Callable[[], AbstractContextManager[Team]], idle: float) -> None:
    """Play jobs until there was none for ``idle`` seconds; if another supervisor of the instance runs, after its end.

    Raises:
        BrokenExecutor: the executor is gone.
    """
    until = time.monotonic() + idle
    while True:
        with lock(config.instance) as taken:
            if taken:
                with open_team() as team:
                    play_jobs(config.instance, team, idle)
                return
        if time.monotonic() >= until:
            return
        time.sleep(POLL_SECONDS)


def play_jobs(instance: Path, team: Team, idle: float) -> None:
    """Play turns of all jobs until there was none for ``idle`` seconds. The caller holds the lock."""
    lease, former = _succeed(instance)
    lease.requeue_orphans(former)
    for _ in team.in_order(play_words, [(FEW_ROUNDS, 0)] * team.at_once):
        pass  # the kernel is compiled now, so that this does not count as a job's time
    last_turn = time.monotonic()
    while time.monotonic() - last_turn < idle:
        if play_turn(lease, team):
            last_turn = time.monotonic()
        else:
            _begun.wait(POLL_SECONDS)
            _begun.clear()


def play_turn(lease: Lease, team: Team) -> bool:
    """Play one turn of the next job. Return False if there is none."""
    row = lease.next_job()
    if row is None:
        db.session.remove()
        return False
    key = row.key
    try:
        _play(row, lease, team)
    except FAULTS as error:
        log.error("lab-run-failed", run=key, error=type(error).__name__, reason=str(error))
        lease.finish(key, "failed")
    db.session.remove()
    return True


def _play(row: LabJob, lease: Lease, team: Team) -> None:
    key, statistics, words = row.key, statistics_of(row), words_of(row)
    counting = counting_of(row)
    chunks_saved = statistics.chunks
    if not lease.begin_turn(key, chunks_saved):
        return
    db.session.remove()
    try:
        words = with_index_numbers(words, counting)
    except Later:
        _put_off(key, statistics, lease)
        return
    began = saved = time.monotonic()

    def is_turn_over() -> bool:
        return time.monotonic() - began > TURN_SECONDS

    def send_heartbeat() -> None:
        lease.heartbeat(key)

    chunks = ((words, number) for number in range(statistics.chunks, words.chunks))
    for chunk in team.in_order(play_words, chunks, is_turn_over, send_heartbeat):
        statistics += chunk
        passed = time.monotonic() - saved
        if passed > SAVE_SECONDS:
            if not lease.save_progress(key, chunks_saved, statistics, passed):
                return
            chunks_saved, saved = statistics.chunks, saved + passed
    if lease.save_progress(key, chunks_saved, statistics, time.monotonic() - saved):
        if statistics.chunks == words.chunks:
            lease.finish(key, "done")
        else:
            lease.yield_turn(key)


def _put_off(key: str, statistics: Statistics, lease: Lease) -> None:
    """Give up the turn of a job, unless it is to be stopped, and leave some time for what it waits for."""
    if lease.save_progress(key, statistics.chunks, statistics, 0.0):
        lease.yield_turn(key)
    _begun.wait(POLL_SECONDS)
    _begun.clear()


def _succeed(instance: Path) -> tuple[Lease, str | None]:
    """Return a new lease, and the name of the supervisor that had the lock of this instance before."""
    path = instance / "lab.supervisor"
    former = path.read_text(encoding="ascii", errors="replace") if path.exists() else None
    lease = Lease(new_key())
    path.write_text(lease.name, encoding="ascii")
    return lease, former


@contextmanager
def lock(instance: Path) -> Iterator[bool]:
    """Take the lock of the instance, and yield False if another supervisor has it.

    It is released when the process ends, however that happens.
    """
    with (instance / "lab.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True
