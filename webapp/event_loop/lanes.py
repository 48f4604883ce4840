"""Lanes: limits on how many expensive requests run at a time, so that other requests do not wait for them.

All threads of a process share one interpreter, so a request that has not been given a thread costs the others nothing.
While requests outside the lanes are running, all lanes together use at most a twentieth of the interpreter's time;
urgent lanes are exempt.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

MOST_WAITING: Final = 64
"""Requests that may wait for a slot of one lane. Further ones are refused."""
MOST_WAITING_PER_ADDRESS: Final = 32
"""How many of them one address may have: it must not take all places of the queue."""

PAUSE_FACTOR: Final = 19
"""A lane pauses for this many times as long as its last request has used the processor."""
POLL_SECONDS: Final = 0.02
"""Seconds between two checks whether a paused request still has others to wait for."""


class LaneFull(Exception):
    """Too many requests of a lane are waiting."""


class LaneThrottle:
    """Limits the share of the interpreter's time that all lanes together use. Used by the event loop alone."""

    def __init__(self) -> None:
        self.others = 0
        """Running requests that are in no lane."""
        self._paused_until = 0.0

    def used(self, seconds: float) -> None:
        """Record the processor time of a request in a lane."""
        self._paused_until = max(self._paused_until, time.monotonic()) + PAUSE_FACTOR * seconds

    async def wait(self) -> None:
        """Wait until the pause is over, or until no other request is running."""
        while self.others and (left := self._paused_until - time.monotonic()) > 0:  # noqa: ASYNC110  # both change
            await asyncio.sleep(min(left, POLL_SECONDS))


class Lane:
    """A class of requests, selected by path, of which only a few run at a time, in order of arrival.

    Used by the event loop alone.

    Args:
        prefixes: Beginnings of the paths.
        slots: How many requests run at a time.
        ending: End of the paths.
        is_urgent: Whether the requests are cheap and must not fail: such a lane is not throttled and refuses none. It
            only ensures that a thousand of them do not delay other requests.
    """

    def __init__(self, prefixes: tuple[str, ...], slots: int, ending: str = "", is_urgent: bool = False) -> None:
        self._prefixes, self._ending = prefixes, ending
        self._slots = asyncio.Semaphore(slots)
        self._waiting: Counter[str] = Counter()
        self.is_urgent = is_urgent

    def matches(self, path: str) -> bool:
        """Return True if requests to this path belong to the lane."""
        return path.startswith(self._prefixes) and path.endswith(self._ending)

    @asynccontextmanager
    async def slot(self, address: str) -> AsyncIterator[None]:
        """Wait for a slot and hold it. ``address``: whose request it is; if empty, it counts for no address.

        Raises:
            LaneFull: Too many requests are waiting, in all or from this address.
        """
        if (
            not self.is_urgent
            and self._slots.locked()
            and (
                self._waiting.total() >= MOST_WAITING
                or (address and self._waiting[address] >= MOST_WAITING_PER_ADDRESS)
            )
        ):
            raise LaneFull
        self._waiting[address] += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
        try:
            yield
        finally:
            self._slots.release()
