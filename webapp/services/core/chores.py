"""Chores: work that becomes due over time and runs in background threads, never in the thread of a GET request.

A GET request changes nothing. If it finds something overdue, it adds a chore and waits for it for a moment, so that
pages without an event stream show the result as soon as all others.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from threading import Condition, Event, Thread
from typing import Final

import structlog

from webapp.extensions import db
from webapp.services.core import context
from webapp.services.core.errors import Refusal

log = structlog.get_logger()

WAIT_SECONDS: Final = 2.0
"""Seconds for which a request waits for a chore. A chore that takes longer continues."""
THREADS: Final = 2
"""Chores that run at the same time: one that waits for a lock must not delay all others."""


class _Chore:
    def __init__(self, job: Callable[[], object]) -> None:
        self.job = job
        self.over = Event()


class Chores:
    """The chores of one app. Threads run only while there are chores, so that the process may fork in between.

    Args:
        open_context: Opens a context of the app.
    """

    def __init__(self, open_context: Callable[[], AbstractContextManager[object]]) -> None:
        self._open_context = open_context
        self._lock = Condition()
        self._waiting: OrderedDict[Hashable, _Chore] = OrderedDict()
        self._threads = 0

    def add(self, key: Hashable, job: Callable[[], object]) -> Event:
        """Add a chore, unless one with the same key is waiting. Return an event that is set when it has ended."""
        with self._lock:
            chore = self._waiting.get(key)
            if chore is None:
                chore = self._waiting[key] = _Chore(job)
                if self._threads < THREADS:
                    self._threads += 1
                    Thread(target=self._run, name="chores", daemon=True).start()
            return chore.over

    def ask(self, key: Hashable, job: Callable[[], object]) -> None:
        """Add a chore and wait for it, at most ``WAIT_SECONDS``. Its errors are logged, not raised.

        The database session of the caller is rolled back, so that its next query sees the result.
        """
        db.session.rollback()
        self.add(key, job).wait(WAIT_SECONDS)

    def wait_for_all(self, seconds: float) -> None:
        """Wait until all chores have ended, at most ``seconds``: the process is shutting down."""
        with self._lock:
            self._lock.wait_for(lambda: not self._threads, seconds)

    def _next(self) -> tuple[Hashable, _Chore] | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popitem(last=False)
            self._threads -= 1
            self._lock.notify_all()
            return None

    def _run(self) -> None:
        while (found := self._next()) is not None:
            key, chore = found
            try:
                with self._open_context():
                    _do(key, chore.job)
            finally:
                chore.over.set()


def _do(key: Hashable, job: Callable[[], object]) -> None:
    try:
        job()
    except Refusal:  # the request that looks at the same thing gets this refusal itself
        pass
    except Exception as error:  # noqa: BLE001  # the request shows what is stored
        kind = key[0] if isinstance(key, tuple) else key
        log.warning("chore not done", chore=str(kind), error=type(error).__name__)
    finally:
        db.session.remove()


def chores() -> Chores:
    """Return the chores of the current app, which ``create_app`` has made."""
    return context.current().get(Chores, _no_chores)


def _no_chores(_config: object) -> Chores:
    raise RuntimeError("create_app makes the chores of an app")
