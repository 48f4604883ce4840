"""A queue of views to be rendered: table by table, in a few threads, in the order in which the tables have changed."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from threading import Lock
from typing import Final

import structlog

from webapp.web.rendering import Viewpoint

log = structlog.get_logger()

THREADS: Final = 2
"""Python runs one thread at a time; the second one runs while the first waits for the database."""


def uncancellable() -> Future[None]:
    """Return a future for several waiters: if one of them is cancelled, the others keep waiting."""
    done = Future[None]()
    done.set_running_or_notify_cancel()
    return done


class RenderQueue:
    """The views of one process that wait to be rendered.

    A table that changes again before its turn is rendered once. All views of a table are rendered together: they share
    the snapshot and many cached fragments.

    Args:
        render: Function that renders views of one table and yields each when it is done.
    """

    def __init__(self, render: Callable[[str, Iterable[Viewpoint]], Iterable[Viewpoint]]) -> None:
        self._render = render
        self._lock = Lock()
        self._tables: dict[str, dict[Viewpoint, Future[None]]] = {}
        self._working = 0

    def ask(self, viewpoint: Viewpoint) -> Future[None]:
        """Add a view; return a future that is resolved after an attempt to render it. ``start`` starts the work."""
        with self._lock:
            return self._tables.setdefault(viewpoint.code, {}).setdefault(viewpoint, uncancellable())

    def start(self, in_thread: Callable[[Callable[[], None]], object]) -> None:
        """Start a thread that renders, unless enough are running. ``in_thread``: runs a function in a thread.

        To be called after all streams that wake together have added their views, so that these are rendered together.
        """
        with self._lock:
            if not self._tables or self._working == THREADS:
                return
            self._working += 1
        in_thread(self._work)

    def _work(self) -> None:
        """Render until the queue is empty."""
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
            except Exception as error:  # noqa: BLE001  # the pages request their views, and get the error
                log.warning("views not pushed", table=code, error=type(error).__name__)
            for done in wanted.values():
                done.set_result(None)
