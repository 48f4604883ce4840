"""Limits on the connections of a web process: their number, slow and unfinished requests, clients that do not read."""

import asyncio
import time
from collections import Counter
from itertools import chain
from typing import Final, Protocol

from webapp.event_loop.requests import CLIENT_SECONDS
from webapp.event_loop.threads import MOST_PER_ADDRESS

MOST_UNFINISHED: Final = 1000
"""Request heads that may be incomplete at a time, from all addresses. Beyond that, the oldest one is dropped."""
CHECK_SECONDS: Final = 1.0
"""Seconds between two checks for request heads that are overdue."""
STALL_SECONDS: Final = CLIENT_SECONDS / 2
"""Seconds between two checks for clients that do not read. After two checks without progress they are dropped."""


class Connection(Protocol):
    """A connection, as the limiter sees it."""

    address: str

    def drop(self) -> None:
        """Close the connection at once."""

    def unsent(self) -> int:
        """Return the number of bytes that wait to be sent."""


class ConnectionLimiter:
    """Tracks the connections of one process and drops those that exceed a limit. Used by the event loop alone.

    Args:
        most: Maximum number of connections; each is an open file.
        counts: Whether requests are counted by address.
    """

    def __init__(self, most: int, counts: bool) -> None:
        self._most, self._counts = most, counts
        self._unsent: dict[Connection, int] = {}
        """All connections, with the bytes that were unsent at the last check."""
        self._idle: dict[Connection, None] = {}
        self._heads: dict[Connection, float] = {}
        """Connections with an incomplete request head, oldest first, with the time at which it is overdue."""
        self._heads_of_address: Counter[str] = Counter()
        self._checked_stalls = time.monotonic()

    # Called by connections.

    def opened(self, connection: Connection) -> None:
        """Add an idle connection. If there are too many, drop an idle one, or else one that is sending a head."""
        self._unsent[connection] = 0
        self._idle[connection] = None
        if len(self._unsent) > self._most:
            next(chain(self._idle, self._heads, (connection,))).drop()

    def replaced(self, connection: Connection, successor: Connection) -> None:
        """Record that another protocol has taken over the connection."""
        self.closed(connection)
        self._unsent[successor] = 0

    def closed(self, connection: Connection) -> None:
        """Remove a connection."""
        self._unsent.pop(connection, None)
        self._idle.pop(connection, None)
        self.head_ended(connection)

    def head_started(self, connection: Connection) -> bool:
        """Record the first byte of a request head; return False if its address has too many incomplete ones."""
        self._idle.pop(connection, None)
        self._heads[connection] = time.monotonic() + CLIENT_SECONDS
        self._heads_of_address[connection.address] += 1
        if len(self._heads) > MOST_UNFINISHED:
            next(iter(self._heads)).drop()
        return not (self._counts and self._heads_of_address[connection.address] > MOST_PER_ADDRESS)

    def head_ended(self, connection: Connection) -> None:
        """Record that a request head is complete, or will never be."""
        if self._heads.pop(connection, None) is not None:
            self._heads_of_address[connection.address] -= 1
            if not self._heads_of_address[connection.address]:
                del self._heads_of_address[connection.address]

    def idle(self, connection: Connection) -> None:
        """Record that a connection waits for its next request."""
        if connection in self._unsent:
            self._idle[connection] = None

    # Timeouts.

    async def enforce_timeouts(self) -> None:
        """Drop connections that are too slow, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            now = time.monotonic()
            for connection in [late for late, until in self._heads.items() if until <= now]:
                connection.drop()
            if now - self._checked_stalls >= STALL_SECONDS:
                self._checked_stalls = now
                self.drop_stalled()

    def drop_stalled(self) -> None:
        """Drop connections whose client has read nothing since the last check."""
        for connection, before in list(self._unsent.items()):
            unsent = connection.unsent()
            if unsent and before and unsent >= before:
                connection.drop()
            elif connection in self._unsent:
                self._unsent[connection] = unsent
