"""How many unfinished runs there may be: of one visitor, and of all, also when everybody comes at the same moment."""

from collections import Counter
from typing import Any

import pytest
from flask import Flask

from tests.database.rows import row
from tests.web.crowd import at_once, tabs_of
from tests.web.player import Json, Player
from webapp.services.lab import jobs, supervisor

CROWD = 12


@pytest.fixture(autouse=True)
def _nobody_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "ensure_running", lambda config: None)


def begin(player: Player, **fields: Any) -> Json:
    asked = {"table": "vegas", "strategy": "mimic", "rounds": 3500, "seed": 5, "nonce": "n"} | fields
    player.post("/lab", [(name, str(value)) for name, value in asked.items()])
    return player.answer.json  # type: ignore[no-any-return]


def answers(players: list[Player], **fields: Any) -> Counter[str]:
    """How often each answer came when all of them begin at once."""
    heard = at_once(players, lambda player: begin(player, nonce=f"n{players.index(player)}", **fields))
    return Counter(said.get("error") or said["status"] for _, said in heard)


def test_a_visitor_has_three_however_many_tabs_ask_at_once(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    assert answers(tabs_of(alice, CROWD)) == {"waiting": 3, "lab-too-many": CROWD - 3}
    assert row(app, "SELECT count(*) FROM lab_job") == (3,)


def test_the_lab_is_not_fuller_than_full(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_ALL", 4)
    visitors = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(visitors) == {"waiting": 4, "lab-busy": CROWD - 4}
    assert row(app, "SELECT count(*) FROM lab_job") == (4,)


def test_long_runs_leave_room_for_short_ones(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or whoever comes under ever new names would keep the lab from everybody else; short ones make way by themselves."""
    monkeypatch.setattr(jobs, "MOST_ALL", 7)
    monkeypatch.setattr(jobs, "MOST_LONG", 4)
    visitors = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(visitors, rounds=jobs.SHORT + 1) == {"waiting": 4, "lab-busy-long": CROWD - 4}
    late = Player(app.test_client())
    assert begin(late, rounds=jobs.SHORT)["status"] == "waiting"
    assert begin(late, rounds=jobs.SHORT + 1, nonce="m")["error"] == "lab-busy-long"
    assert "at most a million rounds" in late.answer.text
    others = [Player(app.test_client()) for _ in range(CROWD)]
    assert answers(others) == {"waiting": 2, "lab-busy": CROWD - 2}
    assert row(app, "SELECT count(*) FROM lab_job") == (7,)


def test_the_same_form_from_many_tabs_is_one_run(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    heard = at_once(tabs_of(alice, CROWD), lambda tab: begin(tab))
    assert [status for status, _ in heard] == [201] * CROWD
    assert len({said["run"] for _, said in heard}) == 1
