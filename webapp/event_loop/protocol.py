"""uvicorn's HTTP/1.1 protocol with limits on header size, on unsent data, and on slow and half-closed connections."""

import asyncio
import socket
import struct
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webapp.event_loop.connection_limiter import ConnectionLimiter
from webapp.event_loop.requests import CUT_OFF, LIMIT_BUFFERS, SEND_AT_ONCE
from webapp.ip_addresses import address_key

MOST_UNSENT: Final = 32 * 1024
"""Bytes of a stream that the kernel buffers, about, and as many that the process buffers."""
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
        self.address = ""

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start a connection. Until its first request it counts as idle, as between two requests."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.address = address_key(self.client[0]) if self.client else ""
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        self._limiter.opened(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection and break its reference cycles.

        Otherwise its memory would only be freed by a collection of the oldest generation, which is rare.
        """
        self._unset_keepalive_if_required()
        super().connection_lost(exc)
        self._limiter.closed(self)
        self.cycle, self.scope = None, None  # type: ignore[assignment]
        vars(self.transport).pop("_read_ready_cb", None)  # a bound method that asyncio's transport keeps of itself

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
            self.scope[LIMIT_BUFFERS] = self.limit_buffers  # type: ignore[typeddict-unknown-key]
            self.scope[SEND_AT_ONCE] = self.send_at_once  # type: ignore[typeddict-unknown-key]
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

    # Called by the answer to an event stream.

    def limit_buffers(self) -> None:
        """Limit the data that kernel and process buffer for a client that does not read.

        A stream may be pushed for hours to a suspended page, and the kernel alone would buffer four megabytes of it.
        """
        sock = self.transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNSENT)
        self.transport.set_write_buffer_limits(high=MOST_UNSENT)

    def send_at_once(self, piece: bytes) -> bool:
        """Send a piece of the stream, in chunked encoding, unless earlier ones are unsent; return True if it was sent.

        ``send`` of ASGI is a coroutine, since it may have to wait. Resuming one for each stream of a crowd takes longer
        than the rest of sending. bench: tables
        """
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        return True

    # Called by the limiter.

    def drop(self) -> None:
        """Close the connection at once, with a reset if data is unsent.

        Otherwise the kernel would keep up to four megabytes for minutes, for a client that does not read.
        """
        sock = self.transport.get_extra_info("socket")
        if sock is not None and self.unsent():
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def unsent(self) -> int:
        """Return the number of bytes that the process has buffered for the client."""
        return self.transport.get_write_buffer_size()
