"""Views that wait to be rendered, in batches of a table."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import structlog

from webapp.web.rendering import Viewpoint

log = structlog.get_logger()

LARGEST: Final = 8
"""Maximum number of views of a batch: the first of its viewers waits until the last view is rendered."""


def uncancellable() -> Future[None]:
    """Return a future for several waiters: if one of them is cancelled, the others keep waiting."""
    done = Future[None]()
    done.set_running_or_notify_cancel()
    return done


@dataclass(eq=False, slots=True)
class Batch:
    """Views of one table that are rendered together: they share the snapshot and many cached fragments.

    ``done``: resolved after an attempt to render them.
    """

    code: str
    viewpoints: set[Viewpoint] = field(default_factory=set)
    done: Future[None] = field(default_factory=uncancellable)


class RenderQueue:
    """The views of one process that wait to be rendered.

    Whoever adds the first view of a batch has the batch rendered in a thread. Until that begins, further views of the
    table are added to it, so a table that changes again is rendered once. The end of a batch is announced once for all
    of its views: each announcement interrupts the thread that renders. bench: tables

    Args:
        render: Function that renders views of one table.
    """

    def __init__(self, render: Callable[[str, Iterable[Viewpoint]], object]) -> None:
        self._render = render
        self._lock = Lock()
        self._open: dict[str, Batch] = {}
        """By table: the batch to which views are added."""

    def add(self, viewpoint: Viewpoint) -> tuple[Batch, bool]:
        """Add a view. Return its batch, and whether that is a new one, which has to be given to ``render``."""
        with self._lock:
            batch = self._open.get(viewpoint.code)
            is_new = batch is None or (len(batch.viewpoints) >= LARGEST and viewpoint not in batch.viewpoints)
            if batch is None or is_new:
                batch = self._open[viewpoint.code] = Batch(viewpoint.code)
            batch.viewpoints.add(viewpoint)
            return batch, is_new

    def render(self, batch: Batch) -> None:
        """Render the views of a batch. Called in a thread."""
        with self._lock:
            if self._open.get(batch.code) is batch:
                del self._open[batch.code]
        try:
            self._render(batch.code, batch.viewpoints)
        except Exception as error:  # noqa: BLE001  # the pages request their views, and get the error
            log.warning("views not pushed", table=batch.code, error=type(error).__name__)
        finally:
            batch.done.set_result(None)
