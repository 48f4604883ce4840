"""Counts of the people who watch a table without a seat.

A player counts once, however many pages are open. Visitors who are no players yet are counted by address: otherwise one
client could be shown as a crowd.
"""

import time
from collections import Counter
from threading import Lock
from typing import Final

FEW: Final = 20
"""Number of watchers of a table up to which every change is shown at once; beyond that, once a second."""
POLLED: Final = 20.0
"""Seconds for which a page without a stream counts after a request: two polling intervals."""
FORGET: Final = 30.0
"""Seconds after which a count sent by another process expires."""
REPEAT: Final = 10
"""Seconds between two messages with the same count."""
KNOWN: Final = 2_000
"""Tables with polling pages, or with a crowd, whose counts are kept. Beyond that, expired ones are dropped."""


class Watchers:
    """Watchers of each table: open streams and polling pages of this process, and the counts of other processes."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: dict[str, Counter[str]] = {}
        """By table and watcher: the number of open streams."""
        self._polls: dict[str, dict[str, float]] = {}
        """By table and watcher: the monotonic time of the last request."""
        self._elsewhere: dict[str, dict[str, tuple[int, float]]] = {}
        """By table and process: the count that was received, and when."""
        self._announced: dict[str, int] = {}
        self._crowds: dict[str, tuple[int, float]] = {}

    def add_stream(self, code: str, watcher: str) -> None:
        """Add an open stream of a watcher."""
        with self._lock:
            self._streams.setdefault(code, Counter())[watcher] += 1

    def remove_stream(self, code: str, watcher: str) -> None:
        """Remove an open stream of a watcher."""
        with self._lock:
            streams = self._streams.get(code, Counter())
            streams[watcher] -= 1
            if streams[watcher] <= 0:
                del streams[watcher]
            if not streams:
                self._streams.pop(code, None)
                self._crowds.pop(code, None)

    def add_poll(self, code: str, watcher: str) -> None:
        """Add a watcher whose page has no stream and polls."""
        now = time.monotonic()
        with self._lock:
            self._polls.setdefault(code, {})[watcher] = now
            if len(self._polls) > KNOWN:
                for known in tuple(self._polls):
                    self._count_here(known, now)

    def receive(self, process: str, code: str, count: int) -> None:
        """Store the count of another process."""
        with self._lock:
            self._elsewhere.setdefault(code, {})[process] = (count, time.monotonic())

    def count(self, code: str) -> int:
        """Return the number of watchers in all processes. For a crowd, it may be a second old."""
        now = time.monotonic()
        with self._lock:
            if code not in self._polls and code not in self._elsewhere and len(self._streams.get(code, ())) <= FEW:
                return len(self._streams.get(code, ()))  # the usual case. bench: tables
            crowd, counted_at = self._crowds.get(code, (0, 0.0))
            if crowd and now - counted_at < 1.0:
                return crowd
            elsewhere = sum(count for count, at in self._elsewhere.get(code, {}).values() if now - at < FORGET)
            total = self._count_here(code, now) + elsewhere
            self._crowds.pop(code, None)
            if total > FEW:
                if len(self._crowds) >= KNOWN:
                    self._crowds.clear()
                self._crowds[code] = (total, now)
            return total

    def announcements(self) -> list[tuple[str, int]]:
        """Return tables and their counts that have changed here since the last call, and periodically all of them."""
        now = time.monotonic()
        repeat = int(now) % REPEAT == 0
        with self._lock:
            received = {
                code: {process: (count, at) for process, (count, at) in counts.items() if now - at <= FORGET}
                for code, counts in self._elsewhere.items()
            }
            self._elsewhere = {code: counts for code, counts in received.items() if counts}
            counts = {code: self._count_here(code, now) for code in {*self._streams, *self._polls, *self._announced}}
            changed = [
                (code, count)
                for code, count in counts.items()
                if self._announced.get(code) != count or (repeat and count)
            ]
            self._announced = {code: count for code, count in counts.items() if count}
        return changed

    def _count_here(self, code: str, now: float) -> int:
        """Return the number of watchers in this process, and drop expired polls."""
        polls = {watcher: at for watcher, at in self._polls.get(code, {}).items() if now - at < POLLED}
        if polls:
            self._polls[code] = polls
        else:
            self._polls.pop(code, None)
        return len({*polls, *self._streams.get(code, ())})
