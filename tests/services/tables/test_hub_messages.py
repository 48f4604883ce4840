"""Messages between the hubs of several processes."""

from collections.abc import Callable, Iterable
from typing import ClassVar

import pytest

from tests.support.clock import set_clock
from tests.support.streams import new_hub
from webapp.services.core.clock import now_ms
from webapp.services.tables import hub
from webapp.services.tables.follower import Follower

Outgoing = Callable[[], Iterable[str]]


class Wire:
    """A replacement of a hub's connection whose messages are delivered by the test."""

    wires: ClassVar[list["Wire"]] = []

    def __init__(self, _url: str, _on_connect: object, on_message: Callable[[str], None], outgoing: Outgoing) -> None:
        self.hear, self.outgoing = on_message, outgoing
        self.wires.append(self)

    def start(self) -> None: ...


def test_counts_of_many_tables_reach_other_processes_in_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wire, "wires", [])
    monkeypatch.setattr(hub, "Listener", Wire)
    here, there = (new_hub("postgresql://") for _ in range(2))
    sent, received = Wire.wires
    codes = [f"T{number:05}" for number in range(2 * hub.TOGETHER + 1)]
    for code in (*codes, codes[0]):
        here.join(Follower(code, watcher=f"player {code} {here.streams}"))
    messages = list(sent.outgoing())
    assert len(messages) == 3
    assert max(map(len, messages)) < 8_000, "what PostgreSQL takes"
    for message in messages:
        received.hear(message)
    assert [there.watching(code) for code in codes] == [2] + [1] * (len(codes) - 1)


def test_the_newest_page_of_a_player_plays_and_an_older_one_that_comes_back_does_not_take_it_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Wire, "wires", [])
    monkeypatch.setattr(hub, "Listener", Wire)
    here = new_hub("postgresql://")
    assert here.newest_page("T00001", "alice") == 0
    (received,) = Wire.wires
    for opened, newest in ((20, 20), (30, 30), (20, 30), (31, 31)):
        received.hear(f"another page T00001 {opened} alice")
        assert here.newest_page("T00001", "alice") == newest
    assert here.newest_page("T00001", "bob") == here.newest_page("T00002", "alice") == 0


def test_a_page_that_is_opened_after_the_time_of_day_was_set_back_is_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = new_hub()
    with monkeypatch.context() as hour:
        set_clock(hour, 3600)
        here.open_page(Follower("T00001", player="alice", opened=now_ms()))
    again = Follower("T00001", player="alice", opened=now_ms())
    here.open_page(again)
    assert here.newest_page("T00001", "alice") == again.opened
