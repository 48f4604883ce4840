"""Handover of an event stream from a view to the event loop, which continues it after the view has returned."""

from threading import Lock
from typing import Any, Final, Protocol

_KEY: Final = "tefuda.handover"
"""Key in the WSGI environment. A server without an event loop does not set it."""


class Client(Protocol):
    """The client of an event stream, as the stream sees it. Used in the event loop."""

    def send(self, piece: bytes) -> bool:
        """Send a piece. If the client has to read first, return False and send nothing; then ``resume`` is called."""

    def finish(self, piece: bytes) -> None:
        """Send the last piece, however slow the client is, and end the answer."""


class Stream(Protocol):
    """An event stream. It must not keep a request, session or database connection."""

    def begin(self, client: Client) -> None:
        """Send what there is, and the rest when it comes. Called in the event loop."""

    def resume(self) -> None:
        """Go on sending: the client has read. Called in the event loop."""

    def close(self) -> None:
        """Send nothing more: the client has disconnected. Called once, in the event loop, or before ``begin``."""


class Handover:
    """A place where the view of one request may leave an event stream."""

    def __init__(self) -> None:
        self.stream: Stream | None = None
        self._is_over = False
        self._lock = Lock()

    def leave(self, stream: Stream) -> None:
        """Leave a stream; called from a thread. It is closed at once if the client has disconnected meanwhile."""
        with self._lock:
            if not self._is_over:
                self.stream = stream
                return
        stream.close()

    def take(self) -> Stream | None:
        """Return the stream that was left, if any: from now on the caller has to close it."""
        with self._lock:
            stream, self.stream = self.stream, None
        return stream

    def end(self) -> None:
        """Close the stream, if it has not been taken, or the one that will be left."""
        with self._lock:
            self._is_over = True
        stream = self.take()
        if stream is not None:
            stream.close()


def offer(environ: dict[str, Any]) -> Handover:
    """Return the place where the view of this request may leave a stream."""
    handover = environ[_KEY] = Handover()
    return handover


def offered(environ: dict[str, Any]) -> Handover | None:
    """Return the place where this view may leave a stream; None if the server cannot send one."""
    handover: Handover | None = environ.get(_KEY)
    return handover
