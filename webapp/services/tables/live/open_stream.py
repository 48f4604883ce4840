"""An open event stream of a shared table, read by an event loop and published to from any thread."""

from asyncio import AbstractEventLoop, Future, TimerHandle, get_running_loop
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from threading import Lock
from typing import Final

TIMERS_A_SECOND: Final = 20
"""Times at which waits end by themselves. All streams whose time comes in between are served in one iteration of the
event loop: with one for each, 5,000 idle streams take 3.5 % of a core instead of 2.1. bench: live"""
OVERDUE: Final = 1
"""A deadline in the past, in unix milliseconds: a stream that has it loads its table at once."""


class EventStream:
    """The stream of one open page. An event loop reads it; any thread may publish to it.

    Args:
        code: Code of the table.
        watcher: Player or address of a viewer without a seat; empty for one with a seat.
        names: Names by which the stream is counted.
        page: Viewer and random word of the page; empty if unknown.
        leave: Removes the stream from its hub.
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
        """Time at which the ``wait`` times out, by the clock of the loop."""
        self._timer: TimerHandle | None = None
        self._when_served: Callable[[], object] | None = None
        self.send_news: Callable[[], float | None] | None = None
        """Set by the reader: sends what is new without ending a ``wait``, and returns the seconds until it has to be
        called again. Returns None if the reader has to wait for something, such as a view that has to be rendered."""

    def publish(self, version: int, deadline: int) -> None:
        """Publish a version of the table to this stream, unless it has a later one."""
        if self.note(version, deadline):
            self.wake()

    def note(self, version: int, deadline: int) -> bool:
        """Store a published version without ending a ``wait``; return False if the stream has a later one."""
        with self._lock:
            if version < self.version:
                return False
            self.version, self.deadline = version, deadline
            return True

    def wake(self) -> None:
        """End a ``wait``, even if the table is unchanged."""
        loop = self.mark_fresh()
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed: the process is shutting down
                loop.call_soon_threadsafe(self.serve)

    async def wait(self, seconds: float) -> bool:
        """Wait for a publication, at most ``seconds``; return True if there was one since the last call."""
        loop = self._loop = get_running_loop()
        self._tell_that_it_is_served()
        if not self._fresh:
            waiting = self._waiting = loop.create_future()
            self._end_wait_at(loop, loop.time() + seconds)
            try:
                if not self._fresh:  # something may have been published before there was a loop
                    await waiting
            finally:
                self._waiting = None
                if self.ended and self._timer is not None:
                    self._timer.cancel()
        fresh, self._fresh = self._fresh, False
        return fresh

    def _tell_that_it_is_served(self) -> None:
        """Call ``when_served`` once. A variable of ``wait`` would keep it, and with it all streams that were woken."""
        when_served, self._when_served = self._when_served, None
        if when_served is not None:
            when_served()

    def _end_wait_at(self, loop: AbstractEventLoop, until: float) -> None:
        """Set the timeout of a ``wait``. An earlier timer is kept, and set again when it expires.

        Nearly all waits end early, and setting a timer for each would cost as much as the rest of it. bench: tables
        """
        self._until = ceil(until * TIMERS_A_SECOND) / TIMERS_A_SECOND
        if self._timer is None or self._timer.when() > self._until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(self._until, self._on_timer)

    def _on_timer(self) -> None:
        loop, timer, self._timer = self._loop, self._timer, None
        if self._waiting is None or loop is None or timer is None:
            return
        if timer.when() < self._until:
            self._end_wait_at(loop, self._until)
        else:
            self.serve()

    def end(self) -> None:
        """End the stream, because its page has opened another one."""
        self.ended = True
        self.wake()

    def close(self) -> None:
        """Remove the stream from its hub, and end it for its reader."""
        self._leave(self)
        self.end()

    def serve(self, when_served: Callable[[], object] | None = None) -> bool:
        """Send what is new, or else end the ``wait`` of the reader, which will do so. Called from the event loop.

        Return True if the reader will, and then call ``when_served`` when it waits again.
        """
        loop, waiting = self._loop, self._waiting
        if loop is None or waiting is None:
            return False
        seconds = self.send_news() if self.send_news is not None else None
        if seconds is not None:
            self._end_wait_at(loop, loop.time() + seconds)
            return False
        self._when_served = when_served
        _finish(waiting)
        return True

    def mark_fresh(self) -> AbstractEventLoop | None:
        """Record that there is something to be read; return the loop that reads the stream, if any."""
        self._fresh = True
        return self._loop


def _finish(waiting: "Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
