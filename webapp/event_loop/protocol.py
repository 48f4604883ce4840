"""uvicorn's HTTP/1.1 with limits: on heads, on what waits, on clients that take no answer, and on half-closed lines."""

import asyncio
import socket
import struct
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webapp.event_loop.doorkeeper import Doorkeeper
from webapp.event_loop.requests import CUT, HOLD_LITTLE
from webapp.ip_addresses import address_key

HELD: Final = 32 * 1024
"""Bytes of a stream that the system keeps, about, and as many that the process keeps."""
LONGEST_HEAD: Final = 32 * 1024
"""Bytes of address and headers. Browsers send 4,096 a cookie, and what pages of the same host have set besides."""


class PatientProtocol(HttpToolsProtocol):
    """One connection. uvicorn by itself waits for ever for the head of a request, and for an answer to be taken."""

    def __init__(self, doorkeeper: Doorkeeper, **options: Any) -> None:
        super().__init__(**options)
        self._doorkeeper = doorkeeper
        self._head, self._in_head, self._refused = 0, False, False
        self.address = ""

    # What asyncio tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin a connection. Until a request comes it is idle, as one between two requests is."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.address = address_key(self.client[0]) if self.client else ""
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        self._doorkeeper.came(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and end what refers to itself.

        Else its memory would come back only when the collector looks at all that has been here for long, which is rare.
        """
        self._unset_keepalive_if_required()
        super().connection_lost(exc)
        self._doorkeeper.left(self)
        self.cycle, self.scope = None, None  # type: ignore[assignment]
        vars(self.transport).pop("_read_ready_cb", None)  # asyncio's transport has a method of its own as an attribute

    def data_received(self, data: bytes) -> None:
        """Parse what has come, unless the head is too long."""
        if self._refused or self.transport.is_closing():
            return
        self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LONGEST_HEAD:
            self.send_400_response("The request has too many headers.")

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep a half-closed connection for its answer, unless its request was cut off: no more of that will come."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_started:
            return False
        cycle.keep_alive = False
        if cycle.more_body:
            self.scope[CUT] = True  # type: ignore[typeddict-unknown-key]
            cycle.message_event.set()
        return True

    # What the parser tells.

    def on_message_begin(self) -> None:
        """Begin with the head of a request, unless its address has too many on their way."""
        super().on_message_begin()
        self._in_head = True
        if not self._doorkeeper.head_began(self):
            self._refused = True
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Answer the request; its body may still be on its way."""
        self._in_head, self._head = False, 0
        self._doorkeeper.head_ended(self)
        if not self._refused:
            self.scope[HOLD_LITTLE] = self.hold_little  # type: ignore[typeddict-unknown-key]
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the request is whole."""
        self._head = 0
        if not self._refused:
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has begun."""
        super().on_response_complete()
        if not self._in_head:
            self._doorkeeper.idle(self)

    def hold_little(self) -> None:
        """Let system and process keep little of what the client does not take.

        A stream may push for hours to a page that nobody reads, and the system alone would keep four megabytes of it.
        """
        line = self.transport.get_extra_info("socket")
        if line is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD)
        self.transport.set_write_buffer_limits(high=HELD)

    # What the doorkeeper asks.

    def give_up(self) -> None:
        """Close the connection, whatever waits to be sent: the system drops that as well.

        By itself it would offer it for minutes to a client that takes nothing, up to four megabytes of it.
        """
        line = self.transport.get_extra_info("socket")
        if line is not None and self.unsent():
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def unsent(self) -> int:
        """Return the bytes that the client has not taken yet."""
        return self.transport.get_write_buffer_size()
