"""The supervisor: one process a machine that plays simulation jobs with a pool of processes of the lowest priority.

The site starts it when a job is begun, and when a job waits and no supervisor runs. It takes a file lock, so that there
is only one; it plays the jobs in turns, stores their statistics as it goes, and exits when the site is gone or there
was no job for a while. It continues jobs that an earlier supervisor left unfinished, but not those that a supervisor on
another machine holds (see ``lease``). Chunks that were not stored are played again, with the same result.

The supervisor itself has normal priority. It uses little CPU, but it writes to the database: if it had to wait for a
processor while it holds the lock, all others would wait, too.
"""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.extensions import db
from webapp.models import LabJob
from webapp.services.core.child_processes import inherited_environment, open_log, python_path
from webapp.services.core.randomness import new_key
from webapp.services.lab import queue
from webapp.services.lab.jobs import experiment_of, statistics_of
from webapp.services.lab.lease import HEARTBEAT_SECONDS, Lease
from webapp.services.lab.worker_pool import LOWEST_PRIORITY, ChunkPool

log = structlog.get_logger()

TURN_SECONDS: Final = 2.0
"""Time for which a job is played before the next one has its turn."""
SAVE_SECONDS: Final = 0.4
"""Time between two moments at which the progress of a job is stored."""
FAULTS: Final = (EngineError, BrokenExecutor, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
"""Errors that come of a job itself, such as a pool that breaks again and again. The job fails; the others go on."""
IDLE_SECONDS: Final = 60.0
"""Time without a job after which the supervisor exits."""
POLL_SECONDS: Final = 0.2
"""Time between two looks for a job when there is none."""
WATCH_SECONDS: Final = 5.0
"""Time between two moments at which the site checks that a supervisor runs if there are jobs."""

_starting: Final = threading.Lock()
_started: Final[dict[Path, subprocess.Popen[bytes]]] = {}


def ensure_running(config: Config) -> None:
    """Start a supervisor on this machine unless one is running. Return at once."""
    if config.lab_workers == 0:
        return
    with _starting:
        child = _started.get(config.instance)
        if (child is not None and child.poll() is None) or is_running(config):
            return
        with open_log(config.instance / "lab.log") as output:
            _started[config.instance] = subprocess.Popen(  # noqa: S603  # our own program, without external arguments
                [sys.executable, "-c", "from webapp.cli import main; main()", "lab", "work", "--for", str(os.getpid())],
                env=_environment(config),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )


def is_running(config: Config) -> bool:
    """Return True if a supervisor of this instance is running."""
    with _lock(config.instance) as taken:
        return not taken


def watch(config: Config, app_context: Callable[[], AbstractContextManager[object]]) -> None:
    """Start a supervisor whenever a job waits and none is running. It never returns, so a thread of the site runs it.

    Jobs thus continue without a visitor after a supervisor was killed or the machine was restarted.
    """
    while config.lab_workers:
        try:
            with app_context():
                if not queue.is_empty():
                    ensure_running(config)
        except SQLAlchemyError as error:
            log.warning("lab-watch-failed", error=type(error).__name__)
        time.sleep(WATCH_SECONDS)


def run_forever(
    config: Config,
    parent: int | None = None,
    idle: float = IDLE_SECONDS,
    open_pool: Callable[[], AbstractContextManager[ChunkPool]] | None = None,
) -> None:
    """Play jobs until there was none for ``idle`` seconds, or the process ``parent`` is not our parent any more.

    If another supervisor of this instance is running, return at once with a parent, which has started one too many;
    without one, as a service, wait for its end. ``open_pool`` opens the pool that plays, such as that of a cluster,
    which may be lost; without it processes of this machine do.
    """
    until = time.monotonic() + (idle if parent is None else 0)
    while True:
        with _lock(config.instance) as taken:
            if taken:
                with open_pool() if open_pool else ChunkPool(max(1, config.lab_workers), LOWEST_PRIORITY) as pool:
                    _play_jobs(config.instance, pool, parent, idle)
                return
        if time.monotonic() >= until:
            return
        time.sleep(POLL_SECONDS)


def _play_jobs(instance: Path, pool: ChunkPool, parent: int | None, idle: float) -> None:
    lease, former = _succeed(instance)
    lease.requeue_orphans(former)
    pool.warm_up()
    last_turn = time.monotonic()
    while (parent is None or os.getppid() == parent) and time.monotonic() - last_turn < idle:
        if play_turn(lease, pool):
            last_turn = time.monotonic()
        else:
            time.sleep(POLL_SECONDS)


def play_turn(lease: Lease, pool: ChunkPool) -> bool:
    """Play one turn of the next job. Return False if there is none."""
    row = lease.next_job()
    if row is None:
        db.session.remove()
        return False
    try:
        _play(row, lease, pool)
    except FAULTS:
        log.exception("lab-run-failed", run=row.key)
        lease.finish(row.key, "failed")
    db.session.remove()
    return True


def _play(row: LabJob, lease: Lease, pool: ChunkPool) -> None:
    key, statistics = row.key, statistics_of(row)
    chunks_saved = statistics.chunks
    if not lease.begin_turn(key, chunks_saved):
        return
    experiment = experiment_of(row)
    db.session.remove()
    began = saved = time.monotonic()

    def is_turn_over() -> bool:
        return time.monotonic() - began > TURN_SECONDS

    def send_heartbeat() -> None:
        lease.heartbeat(key)

    chunks = pool.play(
        experiment, statistics.chunks, experiment.chunks, is_turn_over, send_heartbeat, HEARTBEAT_SECONDS
    )
    for chunk in chunks:
        statistics += chunk
        passed = time.monotonic() - saved
        if passed > SAVE_SECONDS:
            if not lease.save_progress(key, chunks_saved, statistics, passed):
                return
            chunks_saved, saved = statistics.chunks, saved + passed
    if lease.save_progress(key, chunks_saved, statistics, time.monotonic() - saved):
        if statistics.chunks == experiment.chunks:
            lease.finish(key, "done")
        else:
            lease.yield_turn(key)


def _succeed(instance: Path) -> tuple[Lease, str | None]:
    """Return a new lease, and the name of the supervisor that had the lock of this instance before."""
    path = instance / "lab.supervisor"
    former = path.read_text(encoding="ascii") if path.exists() else None
    lease = Lease(new_key())
    path.write_text(lease.name, encoding="ascii")
    return lease, former


@contextmanager
def _lock(instance: Path) -> Iterator[bool]:
    """Take the lock of the instance, and yield False if another process has it.

    It is released when the process ends, however that happens.
    """
    with (instance / "lab.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _environment(config: Config) -> dict[str, str]:
    """Return the environment of the supervisor: our settings, wherever they come from, and this very code.

    The supervisor signs and seals nothing, so it does not get the site's keys but a word in their place: without any
    key it would read the key file, or make one.
    """
    return inherited_environment(reads_database=True) | {
        "PYTHONPATH": python_path(),
        "TEFUDA_INSTANCE": str(config.instance),
        "TEFUDA_DATABASE_URL": config.database_url,
        "TEFUDA_SECRET_KEY": new_key(32),
        "TEFUDA_LAB_WORKERS": str(config.lab_workers),
    }
