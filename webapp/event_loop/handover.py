"""An event stream that a view leaves to the event loop: it goes on after the view has answered."""

from collections.abc import AsyncGenerator, Callable
from threading import Lock
from typing import Any, Final

_KEY: Final = "tefuda.handover"
"""Key in the WSGI environment. It is missing where a server without an event loop serves the site."""

Lines = AsyncGenerator[bytes, None]


class Handover:
    """The lines of one event stream, if the view has left any, and what closes the stream."""

    def __init__(self) -> None:
        self.lines: Lines | None = None
        self._close: Callable[[], None] | None = None
        self._over = False
        self._lock = Lock()

    def take(self, lines: Lines, close: Callable[[], None]) -> None:
        """Take a stream over, from a thread. If nobody is there to read it any more, it is closed at once."""
        with self._lock:
            if not self._over:
                self.lines, self._close = lines, close
                return
        close()

    def end(self) -> None:
        """Close the stream, or the one that is yet to come."""
        with self._lock:
            self._over, close, self._close = True, self._close, None
        if close is not None:
            close()


def offer(environ: dict[str, Any]) -> Handover:
    """Let the view of this request leave a stream; return where it will be found."""
    handover = environ[_KEY] = Handover()
    return handover


def offered(environ: dict[str, Any]) -> Handover | None:
    """Return where the view may leave a stream, None if nobody would send it."""
    handover: Handover | None = environ.get(_KEY)
    return handover
