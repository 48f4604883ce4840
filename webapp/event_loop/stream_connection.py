"""A connection on which an event stream is sent, after uvicorn has received its request and sent its headers."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import structlog

from webapp.event_loop.connection_limiter import Connection, ConnectionLimiter
from webapp.event_loop.handover import OpenLines
from webapp.event_loop.transport import drop, forget_reader, limit_buffers

log = structlog.get_logger()


class StreamConnection(asyncio.Protocol):
    """Sends one event stream in chunked encoding and closes the connection.

    It replaces uvicorn's protocol, which keeps a parser, a request, two tasks and eight coroutines: of 12 KB that a
    stream took, it was half. bench: live

    Args:
        transport: The connection.
        limiter: The limiter of all connections of the process.
        connections: uvicorn's set of connections, which a shutdown waits for.
        address: Key of the client's address.
        close: Closes the stream.
    """

    __slots__ = ("_close", "_connections", "_limiter", "_resumed", "_sending", "_transport", "address")

    def __init__(
        self,
        transport: asyncio.Transport,
        limiter: ConnectionLimiter,
        connections: set[Any],
        address: str,
        close: Callable[[], None],
    ) -> None:
        self._transport, self._limiter, self._connections = transport, limiter, connections
        self.address = address
        self._close: Callable[[], None] | None = close
        self._sending: asyncio.Task[None] | None = None
        self._resumed: asyncio.Future[None] | None = None
        """Resolved when the client has read enough to be sent more; None while it may be sent more."""

    def start(self, predecessor: Connection, is_paused: bool, open_lines: OpenLines) -> None:
        """Take the transport over from the protocol that received the request, and send the stream.

        ``is_paused``: whether the client has to read first.
        """
        self._connections.discard(predecessor)
        self._connections.add(self)
        self._limiter.replaced(predecessor, self)
        if is_paused:
            self.pause_writing()
        self._transport.set_protocol(self)
        limit_buffers(self._transport)
        self._sending = asyncio.create_task(self._send(open_lines))

    async def _send(self, open_lines: OpenLines) -> None:
        try:
            async with aclosing(open_lines(self._send_at_once)) as lines:
                async for piece in lines:
                    if self._resumed is not None:
                        await self._resumed
                    self._write(piece)
                    del piece  # the next one may come in an hour
            self._transport.write(b"0\r\n\r\n")
        except Exception:  # the page reconnects
            log.exception("event stream failed")
        finally:
            self._end()
            self._transport.close()

    def _write(self, piece: bytes) -> None:
        self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def _send_at_once(self, piece: bytes) -> bool:
        """Send a piece unless the client has to read first; return True if it was sent.

        Resuming a coroutine for each stream of a crowd takes longer than the rest of sending. bench: tables
        """
        if self._resumed is not None or self._transport.is_closing():
            return False
        self._write(piece)
        return True

    def _end(self) -> None:
        close, self._close = self._close, None
        if close is not None:
            close()

    # Called by asyncio.

    def pause_writing(self) -> None:
        """Send nothing until the client has read."""
        self._resumed = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        """Go on sending."""
        resumed, self._resumed = self._resumed, None
        if resumed is not None and not resumed.done():
            resumed.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the stream, and break the reference cycles of the connection."""
        self._connections.discard(self)
        self._limiter.closed(self)
        self._end()
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
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
