"""Views that are wanted, rendered table by table in a few threads, in the order in which the tables have moved."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Final

from webapp.web.request.preferences import Preferences

THREADS: Final = 2
"""Python runs one thread at a time; another one goes on while the first waits for the database."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """Who sees the same of a table: ``player`` for a seat, None for all watchers; and how it is written.

    ``root``: where links lead; ``url_root``: where the site is reached.
    """

    code: str
    player: str | None
    language: str
    preferences: Preferences
    root: str
    url_root: str


class RenderQueue:
    """Views of one process that wait for being rendered.

    A table that moves again before its turn comes is rendered once. All its views are rendered together: they share
    the snapshot, and much of what they are made of.

    Args:
        render: Renders views of one table, and yields each that is done.
    """

    def __init__(self, render: Callable[[str, Iterable[Eyes]], Iterable[Eyes]]) -> None:
        self._render = render
        self._lock = Lock()
        self._tables: dict[str, dict[Eyes, Future[None]]] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="views")

    def ask(self, eyes: Eyes) -> Future[None]:
        """Have a view rendered; return what is done when it was tried."""
        with self._lock:
            wanted = self._tables.setdefault(eyes.code, {})
            is_first = not wanted
            done = wanted.setdefault(eyes, Future())
        if is_first:
            self._threads.submit(self._render_table, eyes.code)
        return done

    def _render_table(self, code: str) -> None:
        with self._lock:
            wanted = self._tables.pop(code)
        try:
            for eyes in self._render(code, tuple(wanted)):
                wanted.pop(eyes).set_result(None)
        finally:
            for done in wanted.values():
                done.set_result(None)
