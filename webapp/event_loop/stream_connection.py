"""A connection on which an event stream is sent, after uvicorn has received its request and sent its headers."""

import asyncio
from typing import Any, Final

from webapp.event_loop.connection_limiter import Connection, ConnectionLimiter
from webapp.event_loop.handover import Stream
from webapp.event_loop.transport import drop, forget_reader, limit_buffers

MOST_RECEIVED: Final = 16 * 1024
"""Bytes that a client may send during a stream. They are further requests, which are not answered."""
_LAST_CHUNK: Final = b"0\r\n\r\n"


class StreamConnection(asyncio.Protocol):
    """Sends one event stream in chunked encoding and closes the connection.

    It replaces uvicorn's protocol, which keeps a parser, a request, two tasks and eight coroutines: two thirds of the
    memory of a stream. bench: storms

    Args:
        transport: The connection.
        limiter: The limiter of all connections of the process.
        connections: uvicorn's set of connections, which a shutdown waits for.
        address: Key of the client's address.
        stream: The stream.
    """

    __slots__ = ("_connections", "_is_paused", "_limiter", "_received", "_stream", "_transport", "address")

    def __init__(
        self,
        transport: asyncio.Transport,
        limiter: ConnectionLimiter,
        connections: set[Any],
        address: str,
        stream: Stream,
    ) -> None:
        self._transport, self._limiter, self._connections = transport, limiter, connections
        self.address, self._stream = address, stream
        self._is_paused = False
        self._received = 0

    def take_over(self, predecessor: Connection, is_paused: bool) -> None:
        """Take the transport over from the protocol that received the request, and begin the stream.

        ``is_paused``: whether the client has to read first.
        """
        self._is_paused = is_paused
        self._connections.discard(predecessor)
        self._connections.add(self)
        self._limiter.replaced(predecessor, self)
        self._transport.set_protocol(self)
        limit_buffers(self._transport)
        self._stream.begin(self)

    # Called by the stream.

    def send(self, piece: bytes) -> bool:
        """Send a piece, unless the client has to read first; return True if it was sent."""
        if self._is_paused or self._transport.is_closing():
            return False
        self._transport.write(_chunk(piece))
        return True

    def finish(self, piece: bytes) -> None:
        """Send the last piece, and close the connection when the client has read it."""
        self._transport.write((_chunk(piece) if piece else b"") + _LAST_CHUNK)
        self._transport.close()

    # Called by asyncio.

    def data_received(self, data: bytes) -> None:
        """Ignore what the client sends; close the connection if that is much."""
        self._received += len(data)
        if self._received > MOST_RECEIVED:
            self.drop()

    def pause_writing(self) -> None:
        """Send nothing until the client has read."""
        self._is_paused = True

    def resume_writing(self) -> None:
        """Go on sending."""
        self._is_paused = False
        self._stream.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the stream, and break the reference cycles of the connection."""
        self._connections.discard(self)
        self._limiter.closed(self)
        self._stream.close()
        forget_reader(self._transport)

    # Called by uvicorn.

    def shutdown(self) -> None:
        """Do nothing: the server ends all streams when it shuts down, and waits until they are sent to the end."""

    # Called by the limiter.

    def drop(self) -> None:
        """Close the connection at once."""
        drop(self._transport)

    def unsent(self) -> int:
        """Return the number of bytes that the process has buffered for the client."""
        return self._transport.get_write_buffer_size()


def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)
