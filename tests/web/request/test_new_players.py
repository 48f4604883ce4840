"""The number of new players per address is limited; known players do not count."""

import pytest
from flask import Flask
from limits import parse_many

from tests.support.answer_forms import FORMS
from tests.support.app import client_at
from tests.support.languages import CODES
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings, rows

A_SCHOOL = 600


def newcomer(app: Flask, address: str = "192.0.2.7") -> Player:
    return Player(client_at(app, address))


def test_a_flood_of_new_players_is_held_back_and_makes_nothing(strict: Flask) -> None:
    known = newcomer(strict)
    dealt(known, game="blackjack")
    for _ in range(A_SCHOOL - 1):
        assert newcomer(strict).sit("blackjack")["status"] == "ready"
    before = rows(strict)
    assert len(before["player"]) == A_SCHOOL
    paths = (("/play/blackjack", []), ("/tables", []), ("/settings", [("name", "Bob")]), ("/lab", [("rounds", "1000")]))
    for path, fields in paths:
        for language in CODES:
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
        visitor = newcomer(strict)
        assert visitor.get("/play/poker").status == 200
        assert visitor.post("/settings", [("theme", "dark")]).status == 303
    assert newcomer(strict).sit("poker")["status"] == "ready"


def test_nobody_is_made_for_what_cannot_be_begun(app: Flask) -> None:
    refused = {
        "/h/nothing/again": [],
        "/daily/chess": [],
        "/play/chess": [],
        "/play/poker": [("table", "nonsense")],
        "/play/poker/nothing/0": [("verb", "deal")],
        "/tables": [("table", "nonsense")],
        "/settings": [("name", "x" * 50)],
        "/t/AAAAAA/0": [("verb", "sit"), ("arg", "0")],
        "/t/AAAAAA/reactions": [("kind", "wow")],
        "/t/AAAAAA/reports": [("seat", "0")],
        "/lab": [("table", "nonsense")],
    }
    for path, fields in refused.items():
        answer = newcomer(app).post(path, fields)
        assert (400 <= answer.status < 500, "set-cookie" in answer.headers) == (True, False), path
    assert rows(app)["player"] == []
