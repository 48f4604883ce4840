"""Who plays the runs of the lab: one foreman a machine, with a crew of processes of the lowest priority.

The site wakes the foreman when there is something to do, and when it is seen that a run waits with nobody at work. It
takes a file lock, so there is only one; it serves the runs by turns, writes down what is counted as it goes, and leaves
when the site is gone or nothing was asked for a while. What another foreman left unfinished it goes on with: chunks
that were not written down are played again, with the same result.

The foreman himself is of ordinary priority. He does next to nothing, but he writes: whoever holds the database's lock
must not have to wait for the processor, or all others wait with him.
"""

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

import structlog
from sqlalchemy import CursorResult, Update, func, select, update

from webapp.config import CHECKOUT, Config
from webapp.engine.errors import EngineError
from webapp.engine.lab.tally import Count
from webapp.extensions import db
from webapp.models import UNFINISHED, LabRun
from webapp.services.crew import NICEST, Crew
from webapp.services.laboratory import count_of, now, plan_of, queue
from webapp.services.transaction import writing

log = structlog.get_logger()

TURN_SECONDS: Final = 2.0
"""How long a run is played before the next one has its turn."""
NOTE_SECONDS: Final = 0.4
"""How often it is written down how far a run is."""
IDLE_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.2

_waking: Final = threading.Lock()
_foremen: Final[dict[Path, subprocess.Popen[bytes]]] = {}


def wake(config: Config) -> None:
    """See to it that there is a foreman on this machine. Returns at once."""
    if config.lab_workers == 0:
        return
    with _waking:
        foreman = _foremen.get(config.instance)
        if (foreman is not None and foreman.poll() is None) or is_somebody_there(config):
            return
        _foremen[config.instance] = subprocess.Popen(  # noqa: S603  # our own program, and no word of anybody else's
            [sys.executable, "-c", "from webapp.cli import main; main()", "lab", "work", "--for", str(os.getpid())],
            env=_environment(config),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )


def is_somebody_there(config: Config) -> bool:
    with _lock(config.instance) as taken:
        return not taken


def work(config: Config, parent: int | None = None, idle: float = IDLE_SECONDS) -> None:
    """Serve runs until there is nothing to do for ``idle`` seconds, or the process ``parent`` is no more our parent.

    Returns at once if somebody else does so already.
    """
    with _lock(config.instance) as taken:
        if not taken:
            return
        _take_up()
        with Crew(max(1, config.lab_workers), NICEST) as crew:
            crew.warm()
            last = time.monotonic()
            while (parent is None or os.getppid() == parent) and time.monotonic() - last < idle:
                if serve_next(crew):
                    last = time.monotonic()
                else:
                    time.sleep(LOOK_SECONDS)


def serve_next(crew: Crew) -> bool:
    """One turn of the run that is next. False if there is none."""
    row = _next()
    if row is None:
        db.session.remove()
        return False
    try:
        _serve(row, crew)
    except EngineError:
        log.exception("lab-run-failed", run=row.key)
        _end(row.key, "failed")
    db.session.remove()
    return True


def _next() -> LabRun | None:
    """One that is being played is in somebody else's hands, on another machine."""
    rows = (db.session.get_one(LabRun, key, populate_existing=True) for key in queue())
    return next((row for row in rows if row.status == "waiting"), None)


def _serve(row: LabRun, crew: Crew) -> None:
    plan, count = plan_of(row), count_of(row)
    key, before = row.key, count.chunks
    if not _begin_turn(key):
        return
    db.session.remove()
    began = noted = time.monotonic()

    def over() -> bool:
        return time.monotonic() - began > TURN_SECONDS

    for chunk in crew.play(plan, count.chunks, plan.chunks, over):
        count += chunk
        passed = time.monotonic() - noted
        if passed > NOTE_SECONDS:
            if not _note(key, before, count, passed):
                return
            before, noted = count.chunks, noted + passed
    if _note(key, before, count, time.monotonic() - noted):
        if count.chunks == plan.chunks:
            _end(key, "done")
        else:
            _yield_turn(key)


def _begin_turn(key: str) -> bool:
    """False if the run has ended meanwhile."""
    with writing() as session:
        turn = (session.scalars(select(func.max(LabRun.served))).one() or 0) + 1
        mine = update(LabRun).where(LabRun.key == key, LabRun.status.in_(UNFINISHED))
        return _changed(mine.values(status="running", served=turn))


def _note(key: str, before: int, count: Count, seconds: float) -> bool:
    """Write down how far the run is. False if it is to be stopped, or somebody else has written meanwhile."""
    with writing() as session:
        mine = update(LabRun).where(LabRun.key == key, LabRun.chunks == before, LabRun.status == "running")
        values = {
            "chunks": count.chunks,
            "counted": json.dumps(count.as_json(), separators=(",", ":")),
            "seconds": LabRun.seconds + seconds,
        }
        if not _changed(mine.values(values)):
            return False
        stopped = session.scalars(select(LabRun.stop_asked).where(LabRun.key == key)).one()
    if stopped:
        _end(key, "stopped")
    return not stopped


def _yield_turn(key: str) -> None:
    """To whoever is next; with a look whether it is still wanted."""
    with writing():
        _changed(update(LabRun).where(LabRun.key == key, LabRun.status == "running").values(status="waiting"))


def _end(key: str, status: str) -> None:
    with writing():
        mine = update(LabRun).where(LabRun.key == key, LabRun.status.in_(UNFINISHED))
        _changed(mine.values(status=status, finished_at=now()))


def _take_up() -> None:
    """What was begun and is not finished was interrupted: nobody leaves of himself while there is work. It goes on."""
    with writing():
        left = update(LabRun).where(LabRun.status.in_(UNFINISHED), LabRun.served > 0)
        _changed(left.values(status="waiting", interrupted=LabRun.interrupted + 1))
    db.session.remove()


def _changed(statement: Update) -> bool:
    """Whether there was such a row."""
    done = db.session.execute(statement, execution_options={"synchronize_session": False})
    return bool(cast("CursorResult[Any]", done).rowcount)


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
