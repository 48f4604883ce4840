"""Connections of a web process: how many there may be, how long each may keep us waiting, how many an address has."""

import asyncio
import time
from collections import Counter
from itertools import chain
from typing import Final, Protocol

from webapp.event_loop.requests import CLIENT_SECONDS
from webapp.event_loop.threads import OF_AN_ADDRESS

UNFINISHED: Final = 1000
"""Heads of requests on their way, from all addresses. If there are more, the oldest is given up: it is the slowest."""
LOOK_EVERY: Final = 1.0
"""Seconds between two looks for who is late."""
TAKE_EVERY: Final = CLIENT_SECONDS / 2
"""Seconds between two looks for who takes nothing of an answer. The second one in vain ends the connection."""


class Connection(Protocol):
    """A connection as far as it concerns the doorkeeper."""

    address: str

    def give_up(self) -> None:
        """Close the connection."""

    def unsent(self) -> int:
        """Return the bytes that the client has not taken yet."""


class Doorkeeper:
    """The connections of one process.

    Args:
        most: Connections at most: each is a file that is open.
        counts: Whether requests are counted by address.
    """

    def __init__(self, most: int, counts: bool) -> None:
        self._most, self._counts = most, counts
        self._all: dict[Connection, int] = {}
        """With the bytes that were unsent at the last look."""
        self._idle: dict[Connection, None] = {}
        self._heads: dict[Connection, float] = {}
        """Requests whose heads are on their way, the oldest first, with the time until which they may be."""
        self._coming: Counter[str] = Counter()
        self._looked = time.monotonic()

    # What connections tell.

    def came(self, connection: Connection) -> None:
        """Note a new connection, which says nothing yet. If there are too many, one that does nothing goes."""
        self._all[connection] = 0
        self._idle[connection] = None
        if len(self._all) > self._most:
            next(chain(self._idle, self._heads, (connection,))).give_up()

    def left(self, connection: Connection) -> None:
        """Forget a connection."""
        self._all.pop(connection, None)
        self._idle.pop(connection, None)
        self.head_ended(connection)

    def head_began(self, connection: Connection) -> bool:
        """Note the first word of a request; return False if its address has too many on their way."""
        self._idle.pop(connection, None)
        self._heads[connection] = time.monotonic() + CLIENT_SECONDS
        self._coming[connection.address] += 1
        if len(self._heads) > UNFINISHED:
            next(iter(self._heads)).give_up()
        return not (self._counts and self._coming[connection.address] > OF_AN_ADDRESS)

    def head_ended(self, connection: Connection) -> None:
        """Note that the head of a request is whole, or given up."""
        if self._heads.pop(connection, None) is not None:
            self._coming[connection.address] -= 1
            if not self._coming[connection.address]:
                del self._coming[connection.address]

    def idle(self, connection: Connection) -> None:
        """Note that a connection waits for the next request."""
        if connection in self._all:
            self._idle[connection] = None

    # Who is late.

    async def look_after(self) -> None:
        """Give up who keeps us waiting, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            now = time.monotonic()
            for connection in [late for late, until in self._heads.items() if until <= now]:
                connection.give_up()
            if now - self._looked >= TAKE_EVERY:
                self._looked = now
                self._look_for_who_takes_nothing()

    def _look_for_who_takes_nothing(self) -> None:
        for connection, before in list(self._all.items()):
            unsent = connection.unsent()
            if unsent and before and unsent >= before:
                connection.give_up()
            elif connection in self._all:
                self._all[connection] = unsent
