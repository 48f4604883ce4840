"""Who plays the runs of the lab: one foreman a machine, with a crew of processes of the lowest priority.

The site wakes the foreman when there is something to do, and when it is seen that a run waits with nobody at work. It
takes a file lock, so there is only one; it serves the runs by turns, writes down what is counted as it goes, and leaves
when the site is gone or nothing was asked for a while. What another foreman left unfinished it goes on with, but not
with what one of another machine has in hand, see ``foreman``: chunks that were not written down are played again, with
the same result.

The foreman himself is of ordinary priority. He does next to nothing, but he writes: whoever holds the database's lock
must not have to wait for the processor, or all others wait with him.
"""

import fcntl
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog

from webapp.config import CHECKOUT, Config
from webapp.engine.errors import EngineError
from webapp.extensions import db
from webapp.models import LabJob
from webapp.services.core.randomness import new_key
from webapp.services.lab.jobs import experiment_of, statistics_of
from webapp.services.lab.lease import BEAT_SECONDS, Lease
from webapp.services.lab.pool import NICEST, ChunkPool

log = structlog.get_logger()

TURN_SECONDS: Final = 2.0
"""How long a run is played before the next one has its turn."""
NOTE_SECONDS: Final = 0.4
"""How often it is written down how far a run is."""
FAULTS: Final = (EngineError, BrokenExecutor, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
"""What a run can come to by itself, as a crew that dies of it again and again. It fails; the others are served."""
IDLE_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.2

_waking: Final = threading.Lock()
_foremen: Final[dict[Path, subprocess.Popen[bytes]]] = {}


def ensure_running(config: Config) -> None:
    """See to it that there is a foreman on this machine. Returns at once."""
    if config.lab_workers == 0:
        return
    with _waking:
        foreman = _foremen.get(config.instance)
        if (foreman is not None and foreman.poll() is None) or is_running(config):
            return
        _foremen[config.instance] = subprocess.Popen(  # noqa: S603  # our own program, and no word of anybody else's
            [sys.executable, "-c", "from webapp.cli import main; main()", "lab", "work", "--for", str(os.getpid())],
            env=_environment(config),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )


def is_running(config: Config) -> bool:
    with _lock(config.instance) as taken:
        return not taken


def run_forever(config: Config, parent: int | None = None, idle: float = IDLE_SECONDS) -> None:
    """Serve runs until there is nothing to do for ``idle`` seconds, or the process ``parent`` is no more our parent.

    Returns at once if somebody else does so already.
    """
    with _lock(config.instance) as taken:
        if not taken:
            return
        foreman, former = _successor(config.instance)
        foreman.take_up(former)
        with ChunkPool(max(1, config.lab_workers), NICEST) as crew:
            crew.warm()
            last = time.monotonic()
            while (parent is None or os.getppid() == parent) and time.monotonic() - last < idle:
                if serve_next(foreman, crew):
                    last = time.monotonic()
                else:
                    time.sleep(LOOK_SECONDS)


def serve_next(foreman: Lease, crew: ChunkPool) -> bool:
    """One turn of the run that is next. False if there is none."""
    row = foreman.next()
    if row is None:
        db.session.remove()
        return False
    try:
        _serve(row, foreman, crew)
    except FAULTS:
        log.exception("lab-run-failed", run=row.key)
        foreman.end(row.key, "failed")
    db.session.remove()
    return True


def _serve(row: LabJob, foreman: Lease, crew: ChunkPool) -> None:
    key, count = row.key, statistics_of(row)
    before = count.chunks
    if not foreman.begin_turn(key, before):
        return
    plan = experiment_of(row)
    db.session.remove()
    began = noted = time.monotonic()

    def over() -> bool:
        return time.monotonic() - began > TURN_SECONDS

    for chunk in crew.play(plan, count.chunks, plan.chunks, over, lambda: foreman.beat(key), BEAT_SECONDS):
        count += chunk
        passed = time.monotonic() - noted
        if passed > NOTE_SECONDS:
            if not foreman.note(key, before, count, passed):
                return
            before, noted = count.chunks, noted + passed
    if foreman.note(key, before, count, time.monotonic() - noted):
        if count.chunks == plan.chunks:
            foreman.end(key, "done")
        else:
            foreman.yield_turn(key)


def _successor(instance: Path) -> tuple[Lease, str | None]:
    """A new one, and the name of who was at work with this folder before; for who holds its lock."""
    sign = instance / "lab.foreman"
    former = sign.read_text(encoding="ascii") if sign.exists() else None
    foreman = Lease(new_key())
    sign.write_text(foreman.name, encoding="ascii")
    return foreman, former


@contextmanager
def _lock(instance: Path) -> Iterator[bool]:
    """Whether it could be taken. It is let go when the process ends, however that happens."""
    with (instance / "lab.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


def _environment(config: Config) -> dict[str, str]:
    """The settings as they are here, whichever way they came, and this very code."""
    path = os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH"))))
    return {
        **os.environ,
        "PYTHONPATH": path,
        "TEFUDA_INSTANCE": str(config.instance),
        "TEFUDA_DATABASE_URL": config.database_url,
        "TEFUDA_SECRET_KEY": config.secret_keys[0],
        "TEFUDA_LAB_WORKERS": str(config.lab_workers),
    }
