"""Views that are wanted, rendered table by table in a few threads, in the order in which the tables have moved."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from threading import Lock
from typing import Final

import structlog

from webapp.web.rendering import Viewpoint

log = structlog.get_logger()

THREADS: Final = 2
"""Python runs one thread at a time; another one goes on while the first waits for the database."""


def uncancellable() -> Future[None]:
    """Return a future for several who wait: one of them who gives up does not cancel it for the others."""
    done = Future[None]()
    done.set_running_or_notify_cancel()
    return done


class RenderQueue:
    """Views of one process that wait for being rendered.

    A table that moves again before its turn comes is rendered once. All its views are rendered together: they share
    the snapshot, and much of what they are made of.

    Args:
        render: Renders views of one table, and yields each that is done.
    """

    def __init__(self, render: Callable[[str, Iterable[Viewpoint]], Iterable[Viewpoint]]) -> None:
        self._render = render
        self._lock = Lock()
        self._tables: dict[str, dict[Viewpoint, Future[None]]] = {}
        self._working = 0

    def ask(self, viewpoint: Viewpoint) -> Future[None]:
        """Note that a view is wanted; return what is done when it was tried. ``start`` has that begin."""
        with self._lock:
            return self._tables.setdefault(viewpoint.code, {}).setdefault(viewpoint, uncancellable())

    def start(self, in_thread: Callable[[Callable[[], None]], object]) -> None:
        """Begin with what was asked for, unless it is begun. ``in_thread`` has something done in a thread.

        An event loop does so after all the pages that wake together have asked: else the first of them would have a
        view rendered by itself.
        """
        with self._lock:
            if not self._tables or self._working == THREADS:
                return
            self._working += 1
        in_thread(self._work)

    def _work(self) -> None:
        """Render while there is something to do."""
        while True:
            with self._lock:
                if not self._tables:
                    self._working -= 1
                    return
                code = next(iter(self._tables))
                wanted = self._tables.pop(code)
            try:
                for viewpoint in self._render(code, tuple(wanted)):
                    wanted.pop(viewpoint).set_result(None)
            except Exception as error:  # noqa: BLE001  # the pages ask, and are told
                log.warning("views not pushed", table=code, error=type(error).__name__)
            for done in wanted.values():
                done.set_result(None)
