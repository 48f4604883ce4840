"""A full disk and a read-only database: clear messages, nothing is lost, and the site recovers by itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, text
from structlog.testing import capture_logs

from tests.support.clock import Clock, run_timer
from tests.support.moves import dealt, dealt_and_live, finished
from tests.support.player import Player
from tests.support.rows import findings, row, rows
from tests.support.table_players import play_out, playing, see_all
from webapp.extensions import db

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
READ_ONLY = {"sqlite": "PRAGMA query_only = ON", "postgresql": "SET default_transaction_read_only = on"}
SENTENCE = "The house cannot get at its books just now. Your hand is safe; try again in a moment."


@contextmanager
def every_connection(app: Flask, statement: str) -> Iterator[None]:
    """Reopen all connections of the app, and run this statement on each first."""

    def begin(connection: Any, _record: object) -> None:
        if is_postgresql:
            connection.autocommit = True
        connection.execute(statement)
        if is_postgresql:
            connection.autocommit = False

    with app.app_context():
        engine = db.engine
        is_postgresql = engine.dialect.name == "postgresql"
        engine.dispose()
        event.listen(engine, "connect", begin)
        db.session.remove()
    try:
        yield
    finally:
        event.remove(engine, "connect", begin)
        with app.app_context():
            db.session.remove()
            engine.dispose()


def test_a_database_that_is_read_only_loses_nothing(app: Flask, alice: Player, bob: Player) -> None:
    dealt_and_live(alice, "blackjack")
    before, board = rows(app), alice.look("blackjack")
    with app.app_context():
        kind = db.engine.dialect.name
    with every_connection(app, READ_ONLY[kind]):
        alice.act("stand")
        assert (alice.status, alice.answer.json["error"], alice.answer.json["message"]) == (
            503,
            "unavailable",
            SENTENCE,
        )
        assert int(alice.answer.headers["retry-after"]) > 0
        page = alice.post(f"/play/blackjack/{alice.hand}/{alice.step}", [("verb", "stand")], Accept="text/html")
        assert (page.status, SENTENCE in page.text) == (503, True)
        assert bob.sit("poker")["error"] == "unavailable"
        assert bob.line.client.get_cookie("tefuda") is None, "nobody was made who is not stored"  # type: ignore[union-attr]
        assert alice.get("/readyz").status in (200, 503)
    assert rows(app) == before
    assert alice.look("blackjack")["view"] == board["view"]
    finished(alice)
    assert findings(app) == []


@on_sqlite
def test_a_disk_that_is_full_keeps_all_that_was_acknowledged(app: Flask) -> None:
    dealt(Player(app.test_client()))
    with app.app_context():
        db.session.execute(text("VACUUM"))  # what a migration has dropped leaves free pages
        db.session.remove()
    pages = row(app, "PRAGMA page_count")[0]
    acknowledged = []
    refused = 0
    with every_connection(app, f"PRAGMA max_page_count = {pages + 2}"):
        for _ in range(60):
            player = Player(app.test_client())
            said = player.sit("poker")
            if player.status == 201:
                acknowledged.append((player, said["hand"]))
            else:
                assert (player.status, said["error"], said["message"]) == (503, "unavailable", SENTENCE)
                refused += 1
    assert acknowledged and refused
    for player, key in acknowledged:
        assert player.look("poker")["hand"] == key
    with app.app_context():
        assert db.session.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
        db.session.remove()
    assert findings(app) == []
    last = acknowledged[-1][0]
    dealt(last)
    finished(last)
    assert findings(app) == []


@pytest.mark.parametrize("trouble", ["read-only", "full"])
@on_sqlite
def test_a_shared_table_keeps_its_round_while_nothing_can_be_written(app: Flask, trouble: str) -> None:
    people = playing(app, 2)
    before = rows(app)
    pages = row(app, "PRAGMA page_count")[0]
    statement = READ_ONLY["sqlite"] if trouble == "read-only" else f"PRAGMA max_page_count = {pages}"
    with every_connection(app, statement):
        acting = next(person for person in people if person.you == person.table["acting"])
        refused = None
        for _ in range(200):
            if trouble == "full":  # new players fill the last pages
                refused = Player(app.test_client())
                refused.sit("poker")
            else:
                refused = acting
                acting.do("stand")
            if refused.status == 503:
                break
        assert refused is not None and (refused.status, refused.answer.json["error"]) == (503, "unavailable")
        assert refused.answer.json["message"] == SENTENCE
        if trouble == "read-only":
            assert rows(app) == before
        assert acting.come(acting.code)["phase"] == "playing", "who looks sees the table"
    see_all(people)
    play_out(people)
    assert findings(app) == []


@on_sqlite
def test_a_disk_that_is_full_is_logged_once_a_minute_and_not_for_every_request(app: Flask, clock: Clock) -> None:
    """Each line takes room on the same full disk, once three thousand in ten seconds."""
    player, (visitor, _) = Player(app.test_client()), playing(app, 2)
    with every_connection(app, READ_ONLY["sqlite"]), capture_logs() as logged:
        for _ in range(50):
            player.sit("poker")
            clock.move(1)
            run_timer(app)
            visitor.do("stand")
    said = [line for line in logged if line["event"] != "request" and line["log_level"] != "info"]
    assert 0 < len(said) <= 5, said
    assert visitor.code not in str(said)
