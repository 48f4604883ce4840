"""Temporary failures of the database are answered 503 with Retry-After; all others 500."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError

from tests.support.answer_forms import FORMS
from tests.support.app import close
from tests.support.player import Player
from tests.support.rows import findings
from webapp import config, extensions
from webapp.extensions import db
from webapp.services.core import database
from webapp.services.core.database import IN_TRANSACTION, NoTurn, is_temporary, set_limits, writing

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)


@contextmanager
def told_when_connected(app: Flask, statement: str) -> Iterator[None]:
    """Run a statement on each new connection of an app."""
    with app.app_context():
        engine = db.engine

    def tell(connection: object, _record: object) -> None:
        connection.execute(statement)

    close(app)
    event.listen(engine, "connect", tell)
    yield
    event.remove(engine, "connect", tell)
    close(app)


@pytest.fixture
def full(app: Flask) -> Iterator[None]:
    """An SQLite database that cannot grow."""
    with told_when_connected(app, "PRAGMA max_page_count=1"):
        yield


@on_sqlite
@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_is_503_in_every_form(app: Flask, full: None, form: str) -> None:
    newcomers = (Player(app.test_client()).post("/play/poker", [], **FORMS[form]) for _ in range(300))
    answer = next(answer for answer in newcomers if answer.status >= 400)
    assert answer.status == 503
    assert answer.headers["retry-after"] == "5"
    assert "The house cannot get at its books just now." in answer.text
    with app.app_context():
        assert findings(app) == []


@on_sqlite
def test_the_turn_to_write_is_waited_for_only_so_long(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "TURN_SECONDS", 0.1)
    assert config.TURN_SECONDS + config.LOCK_SECONDS <= 15
    busy, done = threading.Event(), threading.Event()

    def write() -> None:
        with app.app_context(), writing():
            busy.set()
            done.wait(30)

    other = threading.Thread(target=write)
    other.start()
    assert busy.wait(30)
    refused = alice.post("/play/poker", [])
    done.set()
    other.join()
    assert (refused.status, refused.json["error"]) == (503, "unavailable")
    assert alice.sit("poker")["hand"]


def test_a_lock_of_somebody_else_is_waited_for_five_seconds(app: Flask) -> None:
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            assert db.session.scalar(text("PRAGMA busy_timeout")) == 5000
        else:
            assert db.session.scalar(text("SHOW lock_timeout")) == "5s"
        db.session.remove()


@pytest.fixture
def hurried(app: Flask) -> Iterator[None]:
    """A PostgreSQL database with a short lock timeout."""
    with told_when_connected(app, "SET lock_timeout = 100"):
        yield


@pytest.mark.pg
@on_postgresql
def test_a_row_that_somebody_keeps_is_waited_for_only_so_long(
    app: Flask, hurried: None, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alice.sit("poker")["hand"]
    with app.app_context():
        for limit in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
            assert db.session.scalar(text(f"SHOW {limit}")) not in ("0", None), limit
        db.session.remove()
        with db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as other:
            other.execute(text("SELECT 1 FROM player FOR UPDATE"))
            began = database.time.monotonic()
            refused = alice.post("/play/joker", [])
            assert database.time.monotonic() - began < config.LOCK_SECONDS + 10
            other.rollback()
    assert (refused.status, refused.json["error"]) == (503, "unavailable")
    assert alice.sit("joker")["hand"]


@pytest.mark.pg
@on_postgresql
def test_what_takes_long_on_purpose_has_no_limits(app: Flask) -> None:
    with (
        app.app_context(),
        db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as connection,
    ):
        set_limits(connection, 0)
        assert connection.execute(text("SHOW statement_timeout")).scalar() == "0"
        connection.rollback()
        assert connection.execute(text("SHOW statement_timeout")).scalar() != "0"


def test_an_error_in_a_statement_is_no_trouble_that_passes(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(DBAPIError) as failed:
            db.session.execute(text("SELECT nothing FROM nowhere"))
        db.session.remove()
    assert not is_temporary(failed.value)
    assert not is_temporary(RuntimeError())
    assert is_temporary(NoTurn())


@pytest.mark.pg
@on_postgresql
def test_connections_that_were_lost_while_nobody_used_them_are_made_anew(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extensions, "IDLE", 0)
    with app.app_context():
        lost = db.session.scalar(text("SELECT pg_backend_pid()"))
        db.session.remove()
        engine = create_engine(db.engine.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as other:
            assert other.scalar(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": lost})
        engine.dispose()
        assert db.session.scalar(text("SELECT pg_backend_pid()")) != lost
        db.session.remove()
