"""Timeouts of connections, without a network."""

import asyncio
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from webapp.event_loop import connection_limiter
from webapp.event_loop.connection_limiter import ConnectionLimiter


class Done(Exception):
    """The limiter has made all its checks."""


class FakeConnection:
    """A connection with these numbers of unsent bytes, check by check; the last number is repeated for twenty checks."""

    def __init__(self, *unsent: int) -> None:
        self.address = "192.0.2.0/24"
        self.is_dropped = False
        self._unsent: Iterator[int] = chain(unsent, repeat(unsent[-1], 20))

    def drop(self) -> None:
        self.is_dropped = True

    def unsent(self) -> int:
        for each in self._unsent:
            return each
        raise Done


def test_a_client_that_reads_nothing_between_two_checks_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "CHECK_SECONDS", 0)
    monkeypatch.setattr(connection_limiter, "STALL_SECONDS", 0)
    limiter = ConnectionLimiter(most=10, counts=False)
    stalled, is_sent_more = FakeConnection(9), FakeConnection(3, 8)
    reads_little, has_read_all = FakeConnection(*range(99, 1, -1)), FakeConnection(0)
    reads_late = FakeConnection(0, 9, 0, 9, 0)
    connections = (stalled, is_sent_more, reads_little, reads_late, has_read_all)
    for connection in connections:
        limiter.opened(connection)
    with pytest.raises(Done):
        asyncio.run(limiter.enforce_timeouts())
    assert [each for each in connections if each.is_dropped] == [stalled, is_sent_more]
