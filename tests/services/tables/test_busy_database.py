"""A database that cannot answer for a moment: streams stay open, and two sites fit on a default PostgreSQL."""

import threading

import pytest
from flask import Flask
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from tests.support.clock import Clock
from tests.support.rows import row
from tests.support.streams import OpenStream
from tests.support.table_players import betting, seated
from webapp.config import POSTGRES_CONNECTIONS
from webapp.extensions import db
from webapp.services.core.database import IN_TRANSACTION
from webapp.services.tables import presence, snapshots
from webapp.services.tables.hub import Hub


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_stream_outlives_a_database_that_is_busy(app: Flask) -> None:
    visitors = betting(app, 2)
    stream = OpenStream(visitors[0].line.client, visitors[0].code, since=1)  # type: ignore[union-attr]
    stream.until("event: watching")
    hub: Hub = app.extensions["tables"]
    refused = []
    with app.app_context():
        engine = db.engine

    def busy(*_args: object) -> None:
        if len(refused) < 4:
            refused.append(None)
            raise OperationalError("sorry, too many clients already", None, Exception())

    event.listen(engine, "before_cursor_execute", busy)
    hub._catch_up()  # as after the connection of the listener was lost
    hub.moved(visitors[0].code, visitors[0].version + 1)  # its view is asked for, and cannot be rendered
    assert "hx-partial" not in stream.until(f"event: moved\ndata: {visitors[0].version + 1}\n")
    assert len(refused) == 4
    visitors[0].now("policy", "timid")
    visitors[0].now("policy", "basic")
    assert "hx-partial" in stream.until(f"event: moved\ndata: {visitors[0].version}\n")
    stream.close()


@pytest.mark.pg
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_crowd_waits_for_a_connection_instead_of_asking_for_more_than_there_are(app: Flask) -> None:
    """PostgreSQL allows 100 by default, and there may be several sites, each with a listener, and the lab."""
    most = []

    def ask() -> None:
        with app.app_context():
            here = "SELECT count(*), pg_sleep(0.05) FROM pg_stat_activity WHERE datname = current_database()"
            most.append(db.session.execute(text(here)).one()[0])

    crowd = [threading.Thread(target=ask) for _ in range(4 * POSTGRES_CONNECTIONS)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert len(most) == len(crowd), "everybody was served"
    assert POSTGRES_CONNECTIONS <= 24
    assert max(most) <= POSTGRES_CONNECTIONS


@pytest.mark.pg
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_heartbeats_wait_for_nobody(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands lock seats one by one, so a writer that waited for several of them could deadlock."""
    monkeypatch.setattr(presence, "GATHER", 0)
    alice, bob = seated(app, 2)
    before = _signs(app, alice.code)
    clock.move(5)
    with app.app_context():
        locked, free = (seat.holder for seat in snapshots.snapshot(alice.code).seats)
        held = db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name])
        held.execute(text("SELECT 1 FROM table_seat WHERE number = 0 FOR UPDATE"))
        for holder in (locked, free):
            presence.heartbeats().note(alice.code, holder, int(1000 * clock.now))
        presence.write_down()
        db.session.remove()
        assert _signs(app, alice.code) == (before[0], int(1000 * clock.now)), "and whom they do not wait for is"
        assert presence.heartbeats().latest(alice.code, locked) == int(1000 * clock.now), "not forgotten"
        held.close()
        presence.write_down()
        db.session.remove()
    assert _signs(app, alice.code) == (int(1000 * clock.now),) * 2
    assert bob.see()["phase"] == "waiting"


def _signs(app: Flask, code: str) -> tuple[int, ...]:
    return tuple(
        row(app, "SELECT seen_at FROM table_seat WHERE table_code = :code AND number = :seat", code=code, seat=seat)[0]
        for seat in (0, 1)
    )
