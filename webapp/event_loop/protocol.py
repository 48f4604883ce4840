"""uvicorn's HTTP/1.1 protocol with limits on header size, slow and half-closed connections, and with event streams."""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webapp.event_loop.connection_limiter import ConnectionLimiter
from webapp.event_loop.handover import Stream
from webapp.event_loop.requests import CUT_OFF, TAKE_OVER
from webapp.event_loop.stream_connection import StreamConnection
from webapp.event_loop.transport import drop, forget_reader
from webapp.ip_addresses import address_key

LONGEST_HEAD: Final = 32 * 1024
"""Bytes of a request's address and headers. Browsers send up to 4,096 a cookie, those of other sites of a host too."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """One HTTP connection. uvicorn alone waits for a request head, and for a client that does not read, without end.

    Args:
        limiter: The limiter of all connections of the process.
        options: Arguments of uvicorn's protocol.
    """

    def __init__(self, limiter: ConnectionLimiter, **options: Any) -> None:
        super().__init__(**options)
        self._limiter = limiter
        self._head_bytes, self._in_head, self._refused = 0, False, False
        self._answered: RequestResponseCycle | None = None
        """The request that is being answered. ``cycle``, the last one received, may have to wait for its turn."""
        self.address = ""

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start a connection. Until its first request it counts as idle, as between two requests."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.address = address_key(self.client[0]) if self.client else ""
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        self._limiter.opened(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection and break its reference cycles."""
        self._unset_keepalive_if_required()
        super().connection_lost(exc)
        self._limiter.closed(self)
        self.cycle, self.scope, self._answered = None, None, None  # type: ignore[assignment]
        forget_reader(self.transport)

    def data_received(self, data: bytes) -> None:
        """Parse received data; answer 400 if the request head is too long."""
        if self._refused or self.transport.is_closing():
            return
        self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > LONGEST_HEAD:
            self.send_400_response("The request has too many headers.")

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep a half-closed connection open for its answer; if the request is incomplete, mark it as cut off."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_started:
            return False
        cycle.keep_alive = False
        if cycle.more_body:
            self.scope[CUT_OFF] = True  # type: ignore[typeddict-unknown-key]
            cycle.message_event.set()
        return True

    # Called by the HTTP parser.

    def on_message_begin(self) -> None:
        """Start a request head; close the connection if its address has too many incomplete ones."""
        super().on_message_begin()
        self._in_head = True
        if not self._limiter.head_started(self):
            self._refused = True
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Start the answer. The body may not have been received yet."""
        self._in_head, self._head_bytes = False, 0
        self._limiter.head_ended(self)
        if not self._refused:
            self.scope[TAKE_OVER] = self.take_over  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Receive a part of the body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request: all of its body has been received."""
        self._head_bytes = 0
        if not self._refused:
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """End an answer. The connection is idle, unless the next request has begun."""
        super().on_response_complete()
        if not self._in_head:
            self._limiter.idle(self)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    # Called by the answer to an event stream.

    def take_over(self, stream: Stream) -> None:
        """Send an event stream, whose headers have been sent, in place of the rest of the answer.

        For uvicorn the client has disconnected, and the answer has ended. Requests that follow are not answered.
        """
        if self._answered is not None:
            self._answered.disconnected = True
        if self.transport.is_closing():
            stream.close()
            return
        self.pipeline.clear()
        self.flow.resume_reading()  # to notice that the client disconnects
        successor = StreamConnection(self.transport, self._limiter, self.connections, self.address, stream)
        successor.take_over(self, self.flow.write_paused)
        self.cycle, self.scope, self.parser, self._answered = None, None, None, None  # type: ignore[assignment]

    # Called by the limiter.

    def drop(self) -> None:
        """Close the connection at once."""
        drop(self.transport)

    def unsent(self) -> int:
        """Return the number of bytes that the process has buffered for the client."""
        return self.transport.get_write_buffer_size()
