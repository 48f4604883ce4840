"""What happens inside a worker process: how it begins and ends, what it inherits, and the limits of a task."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver, resource_tracker
from typing import Final, TypeVar

KEYS: Final = frozenset(("TEFUDA_SECRET_KEY", "TEFUDA_SECRET_KEY_FALLBACKS", "TEFUDA_METRICS_TOKEN"))
DATABASE: Final = frozenset(("TEFUDA_DATABASE_URL", "PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"))
"""Names of what opens the database; the last three are PostgreSQL's own."""


def inherited_environment(reads_database: bool = False) -> dict[str, str]:
    """Return the environment of this process without secret keys, and without the database URL unless it is needed."""
    kept_back = KEYS if reads_database else KEYS | DATABASE
    return {name: text for name, text in os.environ.items() if name not in kept_back}


T = TypeVar("T")

STALLED: Final = 10
"""A task that stands still is given up after so many times the processor time that it may take."""


END: Final = signal.SIGUSR1
"""Tells a worker to give up its task and to begin no other; what it has done it still hands on."""


class TaskFailed(Exception):
    """A task raised an error: ``str()`` names it and where, without its own words, which may hold cards."""


class Overrun(TaskFailed):
    """A task took more processor time than it may."""


def prepare_to_fork() -> None:
    """Start the process from which workers are forked, unless it runs, with neither keys nor the database to hand on.

    Processes inherit the environment as it is when they begin, so what is secret is taken out for that moment.
    """
    whole = dict(os.environ)
    clean = inherited_environment() | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        for name in whole.keys() - clean.keys():
            del os.environ[name]
        os.environ.update(clean)
        resource_tracker.ensure_running()
        forkserver.ensure_running()
    finally:
        for name in clean.keys() - whole.keys():
            del os.environ[name]
        os.environ.update(whole)


def begin(nice: int, games: Sequence[str]) -> None:
    """Prepare a worker: a lower priority, the games of the site, and an end when the site ends."""
    with suppress(OSError):
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _give_up)
    signal.signal(END, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if games:
        from webapp.services.core.other_games import load_games

        load_games(games)


def ready() -> None:
    """Do nothing: a process begins for each task that none waits for."""


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)


class _TooLong(BaseException):
    """No code of a task catches this."""


@dataclass(slots=True)
class _Now:
    """What this worker is at: a signal that comes between two tasks must not break off the handing on of a result."""

    has_task: bool = False
    is_ending: bool = False


_now: Final = _Now()


def _give_up(*_: object) -> None:
    if _now.has_task:
        raise _TooLong


def _end(*_: object) -> None:
    _now.is_ending = True
    _give_up()


def within(seconds: float, call: Callable[[], T]) -> T:
    """Do a task in a worker, within so many seconds of processor time if they are not 0."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, STALLED * seconds)  # ends the process
    try:
        _now.has_task = True
        if _now.is_ending:
            raise _TooLong
        return call()
    except _TooLong:
        raise Overrun(f"more than {seconds:g} s") from None
    except Exception as error:  # noqa: BLE001  # not every error of a library can be sent to another process
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise TaskFailed(f"{type(error).__name__} in {last.filename}:{last.lineno}") from None
    finally:
        _now.has_task = False
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
