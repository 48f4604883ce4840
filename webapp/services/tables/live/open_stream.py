"""One open event stream of a shared table: read by an event loop, published to from any thread."""

from asyncio import AbstractEventLoop, Future, TimerHandle, get_running_loop
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Final

OVERDUE: Final = 1
"""A deadline that has passed long ago, in unix milliseconds: a stream with it asks its table at once."""


class EventStream:
    """The stream of one open page. It is read by an event loop; any thread may publish to it.

    ``watcher``: the viewer who has no seat, empty for one who has. ``names``: what the stream counts under. ``page``:
    its viewer, and a word the page has chosen. ``leave``: removes the stream from those that are published to.
    """

    def __init__(
        self, code: str, watcher: str, names: tuple[str, ...], page: str, leave: "Callable[[EventStream], None]"
    ) -> None:
        self.code, self.watcher, self.names, self.page, self._leave = code, watcher, names, page, leave
        self.ended = False
        self.version, self.deadline = 0, 0
        self._lock = Lock()
        self._fresh = False
        self._loop: AbstractEventLoop | None = None
        self._waiting: Future[None] | None = None
        self._until = 0.0
        """When the ``wait`` ends by itself, by the clock of the loop."""
        self._timer: TimerHandle | None = None
        self._when_served: Callable[[], object] | None = None

    def tell(self, version: int, deadline: int) -> None:
        """Publish a version of the table to this stream, unless it knows a later one."""
        if self.note(version, deadline):
            self.wake()

    def note(self, version: int, deadline: int) -> bool:
        """Note a version that was published; return False if a later one is known. Wakes nobody."""
        with self._lock:
            if version < self.version:
                return False
            self.version, self.deadline = version, deadline
            return True

    def wake(self) -> None:
        """End a ``wait``, though the table may be as it was."""
        loop = self.mark_fresh()
        if loop is not None:
            with suppress(RuntimeError):  # the loop has ended, and the process is about to
                loop.call_soon_threadsafe(self.finish_wait)

    async def wait(self, seconds: float) -> bool:
        """Sleep at most so long. Return True if something was published since the last call."""
        loop = self._loop = get_running_loop()
        when_served, self._when_served = self._when_served, None
        if when_served is not None:
            when_served()
        if not self._fresh:
            waiting = self._waiting = loop.create_future()
            self._end_wait_at(loop, loop.time() + seconds)
            try:
                if not self._fresh:  # what was published before there was a loop
                    await waiting
            finally:
                self._waiting = None
                if self.ended and self._timer is not None:
                    self._timer.cancel()
        fresh, self._fresh = self._fresh, False
        return fresh

    def _end_wait_at(self, loop: AbstractEventLoop, until: float) -> None:
        """Let a timer end the ``wait``. One that is set already stays if it comes before, and is then set again.

        Nearly all waits end before their time: to set a timer for each costs as much as what ends it. bench: tables
        """
        self._until = until
        if self._timer is None or self._timer.when() > until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(until, self._time_comes)

    def _time_comes(self) -> None:
        loop, timer, self._timer = self._loop, self._timer, None
        if self._waiting is None or loop is None or timer is None:
            return
        if timer.when() < self._until:
            self._end_wait_at(loop, self._until)
        else:
            _finish(self._waiting)

    def end(self) -> None:
        """End the stream: its page has opened another one."""
        self.ended = True
        self.wake()

    def close(self) -> None:
        """Let nothing be published to the stream any more, and let whoever reads it come to an end."""
        self._leave(self)
        self.end()

    def finish_wait(self, when_served: Callable[[], object] | None = None) -> bool:
        """In the event loop: end the ``wait``; return False if there is none.

        ``when_served``: called when the reader waits again, which it does after it has sent what was published.
        """
        if self._waiting is None:
            return False
        self._when_served = when_served
        _finish(self._waiting)
        return True

    def mark_fresh(self) -> AbstractEventLoop | None:
        """Note that there is something to be read; return the loop that waits for it."""
        self._fresh = True
        return self._loop


def _finish(waiting: "Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
