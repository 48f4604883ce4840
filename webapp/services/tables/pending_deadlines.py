"""The next deadlines of shared tables, as one process knows them: what its timer waits for.

They are stored with the tables. Here stand those of the next seconds, and those of tables that have moved in this
process; each process looks up the others with every beat (see ``housekeeping``).
"""

from heapq import heappop, heappush
from threading import Condition
from typing import Final, NamedTuple

from webapp.services.core import context

MOST: Final = 10_000
"""Deadlines that are kept. Beyond that, those of the longest time are left to the next beat."""


class _Expected(NamedTuple):
    deadline: int
    at: int
    """Time at which it is to be met."""


class Deadlines:
    """Deadlines in unix milliseconds by the code of their table. Safe for threads."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._by_code: dict[str, _Expected] = {}
        self._heap: list[tuple[int, str]] = []
        self._stopped = False

    def expect(self, code: str, deadline: int | None, later: int = 0) -> None:
        """Note the deadline of a table in place of the one before; None if there is none any more.

        ``later``: milliseconds after it at which it is to be met.
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
        """Return when the first deadline is to be met; None if there is none."""
        with self._changed:
            self._drop_outdated()
            return self._heap[0][0] if self._heap else None

    def take_due(self, now: int) -> tuple[str, ...]:
        """Take out the tables whose deadline has come."""
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
        """Sleep until a moment, or an earlier deadline that is noted meanwhile, at most so many seconds.

        ``until``: what ``first`` has returned at ``now``.
        """
        left = seconds if until is None else min(seconds, max(0.0, (until - now) / 1000))
        with self._changed:
            self._drop_outdated()
            is_earlier = bool(self._heap) and (until is None or self._heap[0][0] < until)
            if not is_earlier and not self._stopped and left > 0:
                self._changed.wait(left)

    def stop(self, yes: bool) -> None:
        """End a ``wait``, and let no other begin, until this is taken back."""
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
        """Drop what is outdated, and what is furthest away. A sorted list is a heap."""
        self._heap = sorted((expected.at, code) for code, expected in self._by_code.items())[:MOST]
        self._by_code = {code: self._by_code[code] for _, code in self._heap}


def deadlines() -> Deadlines:
    """Return the deadlines that this app knows."""
    return context.current().get(Deadlines, lambda _config: Deadlines())
