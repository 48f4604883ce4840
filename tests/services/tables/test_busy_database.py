"""A database that cannot answer for a moment: streams stay open, and two sites fit on a default PostgreSQL."""

import threading
import time

import pytest
from flask import Flask
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from tests.support.clock import Clock, run_timer
from tests.support.rows import row
from tests.support.table_players import Line, betting, seated
from webapp.config import POSTGRES_CONNECTIONS
from webapp.extensions import db
from webapp.services.core.transaction import IN_TRANSACTION
from webapp.services.tables.live import presence
from webapp.services.tables.reading import snapshots


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_stream_outlives_a_database_that_is_busy(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    line = Line(app, visitors[0].code)
    line.news()
    refused = []
    with app.app_context():
        engine = db.engine

    def busy(*_args: object) -> None:
        if len(refused) < 2:
            refused.append(None)
            raise OperationalError("sorry, too many clients already", None, Exception())

    event.listen(engine, "before_cursor_execute", busy)
    clock.move(25)  # the bets are overdue: the stream asks for the table, and cannot
    until = time.monotonic() + 30
    while len(refused) < 2 and time.monotonic() < until:
        line._stream.is_silent_for(0.1)
    run_timer(app)
    line.news()
    assert len(refused) == 2
    assert visitors[0].see()["phase"] in ("playing", "settled"), "the least was bet for the silent"
    line.close()


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
