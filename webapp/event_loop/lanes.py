"""Lanes of requests: those that cost much and can wait take few of the threads, so that others need not wait for them.

The threads of a process share one interpreter in turns. A request that has no thread yet takes no part in that. And
while others are being answered, the lanes together take no more than a twentieth of the interpreter's time, but for
those that are urgent.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

WAITING: Final = 64
"""Requests of a lane that wait for a place. Whoever comes then is asked to come back."""
WAITING_OF_ADDRESS: Final = 32
"""As many may one address have waiting, so that it does not keep all others out."""

REST: Final = 19
"""Times as long as a request of a lane has kept the interpreter, the next one lets others go first."""
LOOK_SECONDS: Final = 0.02
"""How often a request that lets others go first looks if there are any."""


class Full(Exception):
    """Too many requests of a lane wait already."""


class Courtesy:
    """Lets all lanes together wait for whoever is in none of them. Used by the event loop alone."""

    def __init__(self) -> None:
        self.others = 0
        """Requests under way that are in no lane."""
        self._rests_until = 0.0

    def spent(self, seconds: float) -> None:
        """Count the processor time that a request of a lane has taken."""
        self._rests_until = max(self._rests_until, time.monotonic()) + REST * seconds

    async def turn(self) -> None:
        """Wait while others are being answered, as long as the lanes have to rest."""
        while self.others and (left := self._rests_until - time.monotonic()) > 0:  # noqa: ASYNC110  # both change
            await asyncio.sleep(min(left, LOOK_SECONDS))


class Lane:
    """Requests to some addresses, of which few are worked on at a time, in the order in which they came.

    Used by the event loop alone.

    Args:
        prefixes: How the paths of the requests begin.
        places: How many are worked on at a time.
        ending: How the paths end.
        is_urgent: Whether they cost little and are awaited: such a lane does not rest, and refuses nobody. It only
            keeps a thousand of them from standing before whoever comes next.
    """

    def __init__(self, prefixes: tuple[str, ...], places: int, ending: str = "", is_urgent: bool = False) -> None:
        self._prefixes, self._ending = prefixes, ending
        self._places = asyncio.Semaphore(places)
        self._waiting: Counter[str] = Counter()
        self.is_urgent = is_urgent

    def takes(self, path: str) -> bool:
        """Return True for the path of a request that belongs to this lane."""
        return path.startswith(self._prefixes) and path.endswith(self._ending)

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it. ``address``: whom the request counts for; nobody, if it is empty.

        Raises:
            Full: too many requests wait, of all or of this address.
        """
        if (
            not self.is_urgent
            and self._places.locked()
            and (self._waiting.total() >= WAITING or (address and self._waiting[address] >= WAITING_OF_ADDRESS))
        ):
            raise Full
        self._waiting[address] += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
        try:
            yield
        finally:
            self._places.release()
