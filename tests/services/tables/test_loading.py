"""Looking at a shared table changes nothing while nothing is due; only a seat's heartbeat is stored."""

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS, headers
from tests.support.clock import Clock
from tests.support.rows import Rows, rows
from tests.support.table_players import betting, people, playing, seated

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def without_heartbeats(stored: Rows) -> Rows:
    """Return all rows without the times of heartbeats."""
    from webapp.models import TableSeat

    at = list(TableSeat.__table__.columns.keys()).index("seen_at")
    seats = [(*seat[:at], *seat[at + 1 :]) for seat in stored["table_seat"]]
    return {**stored, "table_seat": seats}


@pytest.mark.parametrize("phase", ["waiting", "betting", "playing"])
@pytest.mark.parametrize("who", ["a watcher", "a player"])
def test_looking_at_a_table_changes_nothing(app: Flask, clock: Clock, phase: str, who: str) -> None:
    visitors = {"waiting": seated, "betting": betting, "playing": playing}[phase](app, 2)
    code, version = visitors[0].code, visitors[0].see()["version"]
    looks = visitors[0] if who == "a player" else people(app, 1)[0]
    clock.move(9)  # a heartbeat is news by now
    before = without_heartbeats(rows(app))
    for path in ("", f"?since={version}", "?since=0", "?still=1", "?seat=nothing", "/events"):
        for form in FORMS:
            method = "HEAD" if path == "/events" else "GET"
            answer = looks.line.client.open(f"/t/{code}{path}", method=method, headers=headers(form), buffered=True)
            assert answer.status_code in (200, 204), path
            assert "Set-Cookie" not in answer.headers
    for path in ("/tables", "/"):
        assert looks.line.client.get(path, headers=headers("page")).status_code == 200
    assert without_heartbeats(rows(app)) == before
