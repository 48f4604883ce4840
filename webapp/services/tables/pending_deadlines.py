"""The queue of the next deadlines of shared tables that the timer of a process waits for.

Deadlines are stored with their tables. The queue holds those that this process has set, and those of the next seconds,
which housekeeping looks up periodically.
"""

from heapq import heappop, heappush
from threading import Condition
from typing import Final, NamedTuple

from webapp.services.core import context

MOST: Final = 10_000
"""Deadlines that are kept. Beyond that, the latest ones are dropped; housekeeping will find them again."""


class _Expected(NamedTuple):
    deadline: int
    at: int
    """Time at which this process acts on it."""


class Deadlines:
    """A queue of deadlines in unix milliseconds, one for each table. Thread-safe."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._by_code: dict[str, _Expected] = {}
        self._heap: list[tuple[int, str]] = []
        self._stopped = False

    def expect(self, code: str, deadline: int | None, later: int = 0) -> None:
        """Set or replace the deadline of a table; None removes it.

        ``later``: milliseconds after the deadline at which this process acts on it.
        """
        with self._changed:
            known = self._by_code.get(code)
            if deadline is None:
                self._by_code.pop(code, None)
                return
            if known is not None and known.deadline == deadline:
                return
            at = deadline + later
            self._by_code[code] = _Expected(deadline, at)
            heappush(self._heap, (at, code))
            if len(self._heap) > 2 * MOST:
                self._forget()
            if self._heap[0] == (at, code):
                self._changed.notify_all()

    def first(self) -> int | None:
        """Return the time at which to act on the first deadline; None if there is none."""
        with self._changed:
            self._drop_outdated()
            return self._heap[0][0] if self._heap else None

    def take_due(self, now: int) -> tuple[str, ...]:
        """Remove and return the codes of tables whose deadline has passed."""
        due = []
        with self._changed:
            self._drop_outdated()
            while self._heap and self._heap[0][0] <= now:
                _, code = heappop(self._heap)
                del self._by_code[code]
                due.append(code)
                self._drop_outdated()
        return tuple(due)

    def wait(self, until: int | None, now: int, seconds: float) -> None:
        """Sleep until ``until`` or an earlier deadline that is set meanwhile, at most ``seconds``.

        ``until``: what ``first`` has returned at ``now``.
        """
        left = seconds if until is None else min(seconds, max(0.0, (until - now) / 1000))
        with self._changed:
            self._drop_outdated()
            is_earlier = bool(self._heap) and (until is None or self._heap[0][0] < until)
            if not is_earlier and not self._stopped and left > 0:
                self._changed.wait(left)

    def stop(self, yes: bool) -> None:
        """End a ``wait`` and disable further ones (``yes``), or enable them again."""
        with self._changed:
            self._stopped = yes
            self._changed.notify_all()

    def _drop_outdated(self) -> None:
        while self._heap:
            at, code = self._heap[0]
            expected = self._by_code.get(code)
            if expected is not None and expected.at == at:
                return
            heappop(self._heap)

    def _forget(self) -> None:
        """Drop outdated entries and the latest deadlines. A sorted list is a valid heap."""
        self._heap = sorted((expected.at, code) for code, expected in self._by_code.items())[:MOST]
        self._by_code = {code: self._by_code[code] for _, code in self._heap}


def deadlines() -> Deadlines:
    """Return the queue of this app."""
    return context.current().get(Deadlines, lambda _config: Deadlines())
