"""The order of unfinished jobs, and limits of their number, for each visitor and in total, under concurrency."""

from collections import Counter
from typing import Any

import pytest
from flask import Flask

from tests.support.concurrency import at_once, tabs_of
from tests.support.player import Json, Player
from tests.support.rows import row, tamper
from webapp.services.lab import queue
from webapp.services.lab.queue import in_turn

CROWD = 12


def begin(player: Player, **fields: Any) -> Json:
    asked = {"table": "vegas", "strategy": "mimic", "rounds": 3500, "seed": 5, "nonce": "n"} | fields
    player.post("/lab", [(name, str(value)) for name, value in asked.items()])
    return player.answer.json  # type: ignore[no-any-return]


def answers(players: list[Player], **fields: Any) -> Counter[str]:
    """Return the number of each response when all start jobs at the same time."""
    answered = at_once(players, lambda player: begin(player, nonce=f"n{players.index(player)}", **fields))
    return Counter(payload.get("error") or payload["status"] for _, payload in answered)


def test_a_visitor_has_three_however_many_tabs_ask_at_once(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    assert answers(tabs_of(alice, CROWD)) == {"waiting": 3, "lab-too-many": CROWD - 3}
    assert row(app, "SELECT count(*) FROM lab_job") == (3,)


def test_the_lab_is_not_fuller_than_full(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_ALL", 4)
    visitors = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(visitors) == {"waiting": 4, "lab-busy": CROWD - 4}
    assert row(app, "SELECT count(*) FROM lab_job") == (4,)


def test_long_jobs_leave_room_for_short_ones(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise somebody who creates new players could occupy the lab; short jobs finish soon by themselves."""
    monkeypatch.setattr(queue, "MOST_ALL", 7)
    monkeypatch.setattr(queue, "MOST_LONG", 4)
    visitors = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(visitors, rounds=queue.SHORT + 1) == {"waiting": 4, "lab-busy-long": CROWD - 4}
    late = Player(app.test_client())
    assert begin(late, rounds=queue.SHORT)["status"] == "waiting"
    assert begin(late, rounds=queue.SHORT + 1, nonce="m")["error"] == "lab-busy-long"
    assert "at most a million rounds" in late.answer.text
    others = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(others) == {"waiting": 2, "lab-busy": CROWD - 2}
    assert row(app, "SELECT count(*) FROM lab_job") == (7,)


def test_the_same_form_from_many_tabs_is_one_job(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    answered = at_once(tabs_of(alice, CROWD), lambda tab: begin(tab))
    assert [status for status, _ in answered] == [201] * CROWD
    assert len({payload["run"] for _, payload in answered}) == 1


def test_players_take_turns() -> None:
    """Alice has started three jobs before Bob's: his comes second, since it is the turn of who waited longest."""
    waiting = [("a1", "alice", 0, 1), ("a2", "alice", 0, 2), ("a3", "alice", 0, 3), ("b1", "bob", 0, 4)]
    assert in_turn(waiting) == ["a1", "b1", "a2", "a3"]
    served = [("a1", "alice", 5, 1), *waiting[1:]]
    assert in_turn(served) == ["b1", "a1", "a2", "a3"]
    assert in_turn([]) == []


def test_finished_jobs_are_not_kept_without_end(app: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """The oldest are deleted first, and unfinished ones never."""
    monkeypatch.setattr(queue, "MOST_KEPT_OWN", 3)
    keys = []
    for number in range(5):
        keys.append(begin(alice, nonce=f"n{number}")["run"])
        alice.post(f"/lab/{keys[-1]}/stop", [])
        tamper(app, "UPDATE lab_job SET created_at = :at WHERE key = :key", at=number, key=keys[-1])
    assert [alice.get(f"/lab/{key}").status for key in keys] == [404, 404, 200, 200, 200]
    waiting = begin(bob, nonce="b")["run"]
    monkeypatch.setattr(queue, "MOST_KEPT", 2)
    begin(bob, nonce="c")
    assert [alice.get(f"/lab/{key}").status for key in (*keys, waiting)] == [404, 404, 404, 404, 200, 200]
