"""Handover of an event stream from a view to the event loop, which continues it after the view has returned."""

from collections.abc import AsyncGenerator, Callable
from threading import Lock
from typing import Any, Final

_KEY: Final = "tefuda.handover"
"""Key in the WSGI environment. A server without an event loop does not set it."""

Lines = AsyncGenerator[bytes, None]
SendAtOnce = Callable[[bytes], bool]
"""Sends a piece of a stream without waiting; returns False, and sends nothing, if the client is slow to read."""
OpenLines = Callable[[SendAtOnce | None], Lines]
"""Begins a stream. It is given a function for pieces that need not go through its lines, while these are waiting for
something to say; None if the server has no such function."""


class Handover:
    """A place where the view of one request may leave an event stream."""

    def __init__(self) -> None:
        self.open_lines: OpenLines | None = None
        self._close: Callable[[], None] | None = None
        self._ended = False
        self._lock = Lock()

    def take(self, open_lines: OpenLines, close: Callable[[], None]) -> None:
        """Leave a stream; called from a thread. It is closed at once if the client has disconnected meanwhile."""
        with self._lock:
            if not self._ended:
                self.open_lines, self._close = open_lines, close
                return
        close()

    def release(self) -> Callable[[], None]:
        """Return the function that closes the stream: from now on the caller has to do so."""
        with self._lock:
            close, self._close = self._close, None
        assert close is not None
        return close

    def end(self) -> None:
        """Close the stream, or refuse the one that will be left."""
        with self._lock:
            self._ended, close, self._close = True, self._close, None
        if close is not None:
            close()


def offer(environ: dict[str, Any]) -> Handover:
    """Return the place where the view of this request may leave a stream."""
    handover = environ[_KEY] = Handover()
    return handover


def offered(environ: dict[str, Any]) -> Handover | None:
    """Return the place where this view may leave a stream; None if the server cannot send one."""
    handover: Handover | None = environ.get(_KEY)
    return handover
