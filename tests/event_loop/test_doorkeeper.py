"""Connections that keep a web process waiting, without a network."""

import asyncio
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from webapp.event_loop import doorkeeper
from webapp.event_loop.doorkeeper import Doorkeeper


class Enough(Exception):
    """The doorkeeper has looked often enough."""


class Line:
    """A connection of which so many bytes are unsent, look by look; the last number stays for twenty looks."""

    def __init__(self, *unsent: int) -> None:
        self.address = "192.0.2.0/24"
        self.is_given_up = False
        self._unsent: Iterator[int] = chain(unsent, repeat(unsent[-1], 20))

    def give_up(self) -> None:
        self.is_given_up = True

    def unsent(self) -> int:
        for each in self._unsent:
            return each
        raise Enough


def test_who_takes_nothing_of_an_answer_between_two_looks_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doorkeeper, "LOOK_EVERY", 0)
    monkeypatch.setattr(doorkeeper, "TAKE_EVERY", 0)
    keeper = Doorkeeper(most=10, counts=False)
    takes_nothing, is_sent_more = Line(9), Line(3, 8)
    takes_little, has_all, is_slow = Line(*range(99, 1, -1)), Line(0), Line(0, 9, 0, 9, 0)
    lines = (takes_nothing, is_sent_more, takes_little, is_slow, has_all)
    for line in lines:
        keeper.came(line)
    with pytest.raises(Enough):
        asyncio.run(keeper.look_after())
    assert [line for line in lines if line.is_given_up] == [takes_nothing, is_sent_more]
