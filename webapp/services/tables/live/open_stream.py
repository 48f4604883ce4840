"""An open event stream of a shared table, written by an event loop and published to from any thread."""

from asyncio import AbstractEventLoop, TimerHandle, get_running_loop
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from threading import Lock
from typing import Final

TIMERS_A_SECOND: Final = 20
"""Times at which streams are served by themselves. All whose time comes in between are served in one iteration of the
event loop: with one for each, 5,000 idle streams take 3.5 % of a core instead of 2.1. bench: live"""
OVERDUE: Final = 1
"""A deadline in the past, in unix milliseconds: a stream that has it loads its table at once."""

SendNews = Callable[[], float | None]
"""Sends what is new to the page of a stream, and returns the seconds after which it is to be called again. Returns None
if that has to wait, for a view or for the client; then ``EventStream.resume`` is called when it can go on."""


class EventStream:
    """The stream of one open page. An event loop writes it; any thread may publish to it.

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
        self.loop: AbstractEventLoop | None = None
        """The event loop that writes the stream; None until it begins."""
        self._send_news: SendNews | None = None
        self._is_busy = False
        """What is new cannot be sent yet, but will be."""
        self._until = 0.0
        """Time at which the stream is served by itself, by the clock of the loop."""
        self._timer: TimerHandle | None = None
        self._when_served: Callable[[], object] | None = None

    # Called from any thread.

    def publish(self, version: int, deadline: int) -> None:
        """Publish a version of the table to this stream, unless it has a later one."""
        if self.note(version, deadline):
            self.wake()

    def note(self, version: int, deadline: int) -> bool:
        """Store a published version without sending it; return False if the stream has a later one."""
        with self._lock:
            if version < self.version:
                return False
            self.version, self.deadline = version, deadline
            return True

    def wake(self) -> None:
        """Have the loop serve the stream, even if the table is unchanged. Before it begins there is no need."""
        loop = self.loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed: the process is shutting down
                loop.call_soon_threadsafe(self.serve)

    def end(self) -> None:
        """End the stream, because its page has opened another one."""
        self.ended = True
        self.wake()

    # Called from the event loop.

    def begin(self, send_news: SendNews) -> None:
        """Have the current event loop serve the stream from now on."""
        self.loop, self._send_news = get_running_loop(), send_news
        self._serve()

    def serve(self, when_served: Callable[[], object] | None = None) -> bool:
        """Send what is new, unless the stream is busy; then that is sent afterwards.

        Return True if it has become busy, and then call ``when_served`` when it is not any more.
        """
        if self._is_busy or self._serve():
            return False
        self._when_served = when_served
        return True

    def resume(self) -> None:
        """Go on, after ``send_news`` had to wait."""
        if self._serve():
            when_served, self._when_served = self._when_served, None
            if when_served is not None:
                when_served()

    def close(self) -> None:
        """Remove the stream from its hub: its page has left, or it has been sent to its end."""
        self._leave(self)
        self.ended = True
        self._send_news = self._when_served = None
        if self._timer is not None:
            self._timer.cancel()

    def _serve(self) -> bool:
        """Send what is new; return False if the stream has become busy."""
        if self._send_news is None or self.loop is None:
            return True
        seconds = self._send_news()
        self._is_busy = seconds is None
        if seconds is None:
            return False
        self._serve_at(self.loop, self.loop.time() + seconds)
        return True

    def _serve_at(self, loop: AbstractEventLoop, until: float) -> None:
        """Set the time at which the stream is served by itself.

        An earlier timer is kept, and set again when it expires. Nearly all streams are served earlier, and setting
        a timer for each time would cost as much as the rest of it. bench: tables
        """
        self._until = ceil(until * TIMERS_A_SECOND) / TIMERS_A_SECOND
        if self._timer is None or self._timer.when() > self._until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_at(self._until, self._on_timer)

    def _on_timer(self) -> None:
        timer, self._timer = self._timer, None
        if self._is_busy or self.loop is None or timer is None:
            return
        if timer.when() < self._until:
            self._serve_at(self.loop, self._until)
        else:
            self.serve()
