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
