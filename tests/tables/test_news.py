"""News of a table that many look at: told to all, looked up by nobody who was just told."""

import pytest
from flask import Flask
from sqlalchemy import event

from tests.tables.guests import Guest, Line, betting, players
from webapp.extensions import db
from webapp.services.tables import signals

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_who_was_just_told_need_not_look_it_up_and_sees_no_older_table(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    guests = betting(app, 2)
    onlooker, code = Guest(app.test_client()), guests[0].code
    line = Line(app, code)
    line.news()
    (player,) = players(guests)
    before = player.version
    player.do("bet", 10, cut="word")
    with app.app_context():
        engine = db.engine
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *said: asked.append(said[2]))

    def tables_asked(query: str) -> int:
        asked.clear()
        assert f'"version":{player.version},' in onlooker.get(f"/t/{code}{query}").text.replace(" ", "")
        return sum("card_table" in each for each in asked)

    assert tables_asked(f"?since={before}") == 0
    assert tables_asked("") == 1, "who comes anew looks"
    monkeypatch.setattr(signals, "NEWS", 0.0)
    assert tables_asked(f"?since={before}") == 1, "old news are none"
    line.close()
