"""Chores: work that falls due by itself and is done in a thread of its own, never in the thread of a request.

A request that only looks changes nothing. Where it finds something overdue, it has that done here, and waits a moment
for it: then whoever looks now and then, without any stream, sees what has happened as soon as everybody else.
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
"""Seconds for which a request waits for a chore. One that takes longer goes on."""
THREADS: Final = 2
"""Chores at the same time: one that waits for a lock does not keep all others waiting."""


class _Chore:
    def __init__(self, job: Callable[[], object]) -> None:
        self.job = job
        self.over = Event()


class Chores:
    """The chores of one app. A thread runs only while there are any, so that a process may fork in between.

    Args:
        open_context: Opens a context of the app.
    """

    def __init__(self, open_context: Callable[[], AbstractContextManager[object]]) -> None:
        self._open_context = open_context
        self._lock = Condition()
        self._waiting: OrderedDict[Hashable, _Chore] = OrderedDict()
        self._threads = 0

    def add(self, key: Hashable, job: Callable[[], object]) -> Event:
        """Have something done soon. Return the event of its end. One that waits under the same key is enough."""
        with self._lock:
            chore = self._waiting.get(key)
            if chore is None:
                chore = self._waiting[key] = _Chore(job)
                if self._threads < THREADS:
                    self._threads += 1
                    Thread(target=self._run, name="chores", daemon=True).start()
            return chore.over

    def ask(self, key: Hashable, job: Callable[[], object]) -> None:
        """Have something done now, and wait for it, though not for ever. If it fails, that is logged.

        The session of the caller begins anew, so that it sees what was done.
        """
        db.session.rollback()
        self.add(key, job).wait(WAIT_SECONDS)

    def wait_for_all(self, seconds: float) -> None:
        """Wait until nothing is left to do, at most so long: the process is about to end."""
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
    except Refusal:  # which whoever looks is told, since it is as it was
        pass
    except Exception as error:  # noqa: BLE001  # whoever looks sees what is stored
        kind = key[0] if isinstance(key, tuple) else key
        log.warning("chore not done", chore=str(kind), error=type(error).__name__)
    finally:
        db.session.remove()


def chores() -> Chores:
    """Return the chores of the current app, which ``create_app`` has made."""
    return context.current().get(Chores, _no_chores)


def _no_chores(_config: object) -> Chores:
    raise RuntimeError("create_app makes the chores of an app")
