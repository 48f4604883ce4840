"""An address may bring many new players, but not without end; who is known is not counted."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from limits import parse_many

from tests.conftest import close, make_app
from tests.database.rows import findings, rows
from tests.web.forms import FORMS
from tests.web.moves import dealt, finished
from tests.web.player import Player
from webapp.web.request.limits import limiter
from webapp.web.request.preferences import LANGUAGES

A_SCHOOL = 600


@pytest.fixture
def strict(tmp_path: Path, blank_sqlite: Path) -> Iterator[Flask]:
    """With rate limits, and nobody has come yet."""
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    app = make_app(f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path, TEFUDA_RATE_LIMITS="on")
    limiter.reset()
    yield app
    limiter.reset()
    close(app)


def newcomer(app: Flask, address: str = "192.0.2.7") -> Player:
    client = app.test_client()
    client.environ_base = {**client.environ_base, "REMOTE_ADDR": address}
    return Player(client)


def test_a_flood_of_new_players_is_held_back_and_makes_nothing(strict: Flask) -> None:
    known = newcomer(strict)
    dealt(known, game="blackjack")
    for _ in range(A_SCHOOL - 1):
        assert newcomer(strict).sit("blackjack")["status"] == "ready"
    before = rows(strict)
    assert len(before["player"]) == A_SCHOOL
    paths = (("/play/blackjack", []), ("/tables", []), ("/settings", [("name", "Bob")]), ("/lab", [("rounds", "1000")]))
    for path, fields in paths:
        for language in LANGUAGES:
            for form in FORMS.values():
                answer = newcomer(strict).post(path, fields, **form, Accept_Language=language)
                assert answer.status == 429, path
                assert "set-cookie" not in answer.headers
                assert 0 < int(answer.headers["retry-after"]) <= 60
                assert ("Too many new players have come from your address." in answer.text) == (language == "en")
    assert newcomer(strict).sit("poker")["error"] == "too-many-newcomers"
    assert rows(strict) == before
    assert newcomer(strict, "192.0.2.8").sit("poker")["status"] == "ready", "others come from elsewhere"
    finished(known)
    dealt(known)
    assert known.status == 200, "who is known plays on"
    assert findings(strict) == []


def test_there_is_a_limit_for_the_hour_too(strict: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webapp.web.request.limits._NEWCOMERS", parse_many("100/minute; 5/hour"))
    assert [newcomer(strict).post("/play/poker").status for _ in range(7)] == [201] * 5 + [429] * 2


def test_looks_alone_make_nobody_and_are_not_counted(strict: Flask) -> None:
    for _ in range(A_SCHOOL + 1):
        guest = newcomer(strict)
        assert guest.get("/play/poker").status == 200
        assert guest.post("/settings", [("theme", "dark")]).status == 303
    assert newcomer(strict).sit("poker")["status"] == "ready"
