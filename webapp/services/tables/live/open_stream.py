"""One open event stream of a shared table: read by an event loop, published to from any thread."""

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from typing import Final

AT_ONCE: Final = 100
"""Streams that are woken in one turn of an event loop. Between two turns it does what others wait for, and a view that
the first of a crowd have asked for is begun."""


class EventStream:
    """The stream of one open page. It is read by an event loop; any thread may publish to it.

    ``watcher``: the viewer who has no seat, empty for one who has. ``names``: what the stream counts under. ``page``: a
    word the page has chosen. ``leave``: removes the stream from those that are published to.
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
        wake_all((self,))

    async def wait(self, seconds: float) -> bool:
        """Sleep at most so long. Return True if something was published since the last call."""
        loop = self._loop = get_running_loop()
        if not self._fresh:
            waiting = self._waiting = loop.create_future()
            timer = loop.call_later(seconds, _finish, waiting)
            try:
                if not self._fresh:  # what was published before there was a loop
                    await waiting
            finally:
                timer.cancel()
                self._waiting = None
        fresh, self._fresh = self._fresh, False
        return fresh

    def end(self) -> None:
        """End the stream: its page has opened another one."""
        self.ended = True
        self.wake()

    def close(self) -> None:
        """Let nothing be published to the stream any more, and let whoever reads it come to an end."""
        self._leave(self)
        self.end()

    def finish_wait(self) -> None:
        """In the event loop: end the ``wait``."""
        if self._waiting is not None:
            _finish(self._waiting)

    def mark_fresh(self) -> AbstractEventLoop | None:
        """Note that there is something to be read; return the loop that waits for it."""
        self._fresh = True
        return self._loop


def wake_all(streams: Iterable[EventStream]) -> None:
    """Wake streams, from any thread: each event loop is called once for all of them."""
    by_loop: dict[AbstractEventLoop, list[EventStream]] = {}
    for stream in streams:
        loop = stream.mark_fresh()
        if loop is not None:
            by_loop.setdefault(loop, []).append(stream)
    for loop, woken in by_loop.items():
        with suppress(RuntimeError):  # the loop has ended, and the process is about to
            loop.call_soon_threadsafe(_finish_waits, loop, woken)


def _finish_waits(loop: AbstractEventLoop, streams: list[EventStream]) -> None:
    for stream in streams[:AT_ONCE]:
        stream.finish_wait()
    if len(streams) > AT_ONCE:
        loop.call_soon(_finish_waits, loop, streams[AT_ONCE:])


def _finish(waiting: "Future[None]") -> None:
    if not waiting.done():
        waiting.set_result(None)
