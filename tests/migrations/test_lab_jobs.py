"""Jobs that were started before a migration continue after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.lab_work import play_turns
from tests.support.player import Player
from webapp.services.operations import schema


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.pg)])
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    sqlite = f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    app = make_app(sqlite if request.param == "sqlite" else request.getfixturevalue("pg_database"), tmp_path)
    with app.app_context():
        schema.upgrade()
    yield app
    close(app)


def test_a_job_of_a_player_who_counts_is_one_of_a_player_who_does_not_before_counting(lab: Flask) -> None:
    """Its rounds stay what they were; of the bets by the count nothing is left."""
    alice, jobs = Player(lab.test_client()), []
    for nonce, count in (("plain", ""), ("counts", "hi-lo")):
        alice.post("/lab", [("table", "downtown"), ("rounds", "1000"), ("nonce", nonce), ("count", count)])
        jobs.append(alice.answer.json["url"])
    play_turns(lab)
    plain, counted = (alice.get(url).json for url in jobs)
    assert "ramps" not in plain and counted["ramps"]
    with lab.app_context():
        schema.downgrade("0026")
        schema.upgrade()
    assert alice.get(jobs[0]).json == plain
    left = alice.get(jobs[1]).json
    assert {name for name in counted if name not in left} == {
        *("count", "ramp", "index_plays", "bankroll", "trip", "boxes", "rounding", "ramps", "counts")
    }
    assert all(left[name] == counted[name] for name in left)


def test_a_job_keeps_its_scenarios_and_statistics_when_its_columns_are_renamed(
    lab: Flask,
) -> None:
    alice, jobs = Player(lab.test_client()), []
    for nonce in ("played", "waiting"):
        fields = {
            "table": "downtown",
            "strategy": "stand-15",
            "other_table": "single",
            "rounds": "1000",
            "nonce": nonce,
        }
        alice.post("/lab", list(fields.items()))
        jobs.append(alice.answer.json["url"])
    play_turns(lab, most=1)
    before = [alice.get(url).json for url in jobs]
    assert [job["status"] for job in before] == ["done", "waiting"]
    with lab.app_context():
        schema.downgrade("0009")
        schema.upgrade()
    assert [alice.get(url).json for url in jobs] == before
    play_turns(lab)
    assert alice.get(jobs[1]).json["status"] == "done"
