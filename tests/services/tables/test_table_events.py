"""The events of one stream of a shared table."""

import pytest
from flask import Flask

from tests.support.streams import OpenStream
from tests.support.table_players import betting
from webapp.services.tables import loading, table_events
from webapp.services.tables.live.pubsub import Hub
from webapp.services.tables.reading.facts import Snapshot

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_a_table_is_loaded_once_for_all_its_streams(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that may have missed changes loads all tables that it has streams of."""
    code = betting(app, 2, bet_clock=60)[0].code
    hub: Hub = app.extensions["tables"]
    loaded: list[str] = []
    load = loading.load

    def counted(code: str, player: str | None) -> Snapshot:
        loaded.append(code)
        return load(code, player)

    streams = [OpenStream(app.test_client(), code) for _ in range(4)]
    for stream in streams:
        stream.until("event: watching")
    monkeypatch.setattr(table_events.loading, "load", counted)
    hub._wake_all()
    for stream in streams:
        stream.is_silent_for(2 * table_events.AFTER_TIMER)
    for stream in streams:
        stream.close()
    assert loaded == [code]


def test_a_change_that_was_missed_is_told_to_all_streams(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    player = betting(app, 2, bet_clock=60)[0]
    hub: Hub = app.extensions["tables"]
    streams = [OpenStream(app.test_client(), player.code) for _ in range(4)]
    for stream in streams:
        stream.until("event: watching")
    with monkeypatch.context() as missed:
        missed.setattr(hub, "moved", lambda *_: None)
        player.now("policy", "timid")
    hub._wake_all()
    for stream in streams:
        stream.until(f"event: moved\ndata: {player.see()['version']}\n")
        stream.close()


def test_streams_of_an_overdue_table_are_patient(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that cannot be loaded, because the database is busy, wakes a crowd a few times a second."""
    code = betting(app, 2, bet_clock=60)[0].code
    hub: Hub = app.extensions["tables"]
    monkeypatch.setattr(hub, "may_tick", lambda _code, _every: False)
    stream = hub.join(code, "", ())
    assert stream is not None
    stream.publish(7, 1)
    events, seconds = table_events.TableEvents(hub, stream).take(7)
    assert ("moved", "7") in events
    assert seconds >= table_events.AFTER_TIMER
    stream.close()


def test_a_table_that_is_gone_is_due_no_more(app: Flask) -> None:
    hub: Hub = app.extensions["tables"]
    stream = hub.join("ABC234", "", ())
    assert stream is not None
    stream.publish(7, 1)
    table_events._load_table(hub, "ABC234")
    assert (stream.version, stream.deadline) == (7, 0)
    stream.close()
