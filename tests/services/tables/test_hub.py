"""What is published of a table to the pages that follow it."""

import os
import re

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.streams import OpenStream
from tests.support.table_players import Line, TablePlayer, betting, players
from webapp.extensions import db
from webapp.services.core.errors import Refusal
from webapp.services.tables import hub as hub_module
from webapp.services.tables import loading
from webapp.web.stream import BACK_AFTER, BACK_WITHIN

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_version_that_was_just_published_is_not_looked_up_and_no_older_one_is_shown(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = betting(app, 2)
    watcher, code = TablePlayer(app.test_client()), visitors[0].code
    line = Line(app, code)
    line.news()
    (player,) = players(visitors)
    before = player.version
    player.do("bet", 10, cut="word")
    with app.app_context():
        engine = db.engine
    asked: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *said: asked.append(said[2]))

    def tables_asked(query: str) -> int:
        asked.clear()
        assert f'"version":{player.version},' in watcher.get(f"/t/{code}{query}").text.replace(" ", "")
        return sum("shared_table" in statement for statement in asked)

    assert tables_asked(f"?since={before}") == 0
    assert tables_asked("") == 1, "who comes anew looks"
    monkeypatch.setattr(hub_module, "CURRENT_SECONDS", 0.0)
    assert tables_asked(f"?since={before}") == 1, "old news are none"
    line.close()


def test_a_request_that_reads_no_stream_keeps_none_open(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A HEAD request has no body, and neither has a request that fails while its stream is being opened."""
    code, hub, client = betting(app, 2)[0].code, app.extensions["tables"], app.test_client()
    answer = client.head(f"/t/{code}/events")
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert client.head("/t/NOSUCH/events").status_code == 404
    OpenStream(client, code).close()  # unread
    assert hub.streams == 0
    look, looked = loading.load, []

    def busy_the_second_time(*args: object, **kwargs: object) -> object:
        looked.append(args)
        if len(looked) == 2:
            raise Refusal("stale")
        return look(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(loading, "load", busy_the_second_time)
    assert OpenStream(client, code).status_code == 409
    assert len(looked) == 2
    assert hub.streams == 0


def test_who_comes_while_the_site_shuts_down_is_asked_to_come_back(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser does not reconnect after a refusal, and the page would poll for a minute."""
    code, hub = betting(app, 2)[0].code, app.extensions["tables"]
    monkeypatch.setattr(hub, "_closed", False)
    hub.close()
    stream = OpenStream(app.test_client(), code)
    *_, last = re.findall(r"retry: (\d+)\n", stream.rest())
    assert BACK_AFTER <= int(last) <= BACK_AFTER + BACK_WITHIN
    stream.close()
    assert hub.streams == 0


def test_a_change_while_a_stream_is_being_opened_is_published(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is newer than the version that was read just before."""
    visitors = betting(app, 2)
    code, look, looked = visitors[0].code, loading.load, []

    def slow_the_second_time(*args: object, **kwargs: object) -> object:
        looked.append(args)
        seen = look(*args, **kwargs)  # type: ignore[arg-type]
        if len(looked) == 2:
            app.extensions["tables"].moved(code, seen.version + 1)
        return seen

    monkeypatch.setattr(loading, "load", slow_the_second_time)
    line = Line(app, code)
    assert f"event: moved\ndata: {visitors[0].version + 1}\n\n" in line.news()
    line.close()


def test_processes_that_were_forked_from_one_app_hear_each_other(app: Flask) -> None:
    """A server may load the app before it forks its workers; they receive each other's messages all the same."""
    hub = app.extensions["tables"]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, hub.name.encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    theirs = os.read(reading, 100).decode()
    os.close(reading)
    assert theirs
    assert theirs != hub.name
