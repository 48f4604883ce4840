"""Error messages: failures of the database have a sentence, bugs have none, and none contains the password."""

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tests.support.fixtures.databases import PASSWORD
from webapp.extensions import db
from webapp.services.core.database import IN_TRANSACTION, NoTurn, begin
from webapp.services.operations.database_sentences import BUSY, UPGRADE, sentence


def said_of(app: Flask, *statements: str) -> str | None:
    """Return the sentence for the failure of the last statement."""
    *before, last = map(text, statements)
    with app.app_context(), db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.name]) as connection:
        begin(connection)
        for statement in before:
            connection.execute(statement)
        with pytest.raises(SQLAlchemyError) as failed:
            connection.execute(last)
        connection.rollback()
    return sentence(failed.value, app.extensions["config"].database_url)


def test_a_fault_of_our_own_has_none_and_keeps_its_traceback(app: Flask) -> None:
    player = "INSERT INTO player (id, name, created_at, session_number) VALUES ('a', '', 1, 0)"
    assert said_of(app, "SELEC 1") is None
    assert said_of(app, player, player) is None
    assert sentence(ValueError("of ours"), "sqlite:////x") is None


def test_tables_and_columns_of_another_version_lead_to_the_upgrade(app: Flask) -> None:
    assert said_of(app, "SELECT 1 FROM nowhere") == UPGRADE
    assert said_of(app, "SELECT missing FROM player") == UPGRADE


def test_what_passes_is_told_as_busy(app: Flask, database_url: str) -> None:
    for error in (NoTurn("no turn"), PoolTimeout("no connection")):
        assert sentence(error, database_url) == BUSY
    if database_url.startswith("postgresql"):
        assert said_of(app, "SET LOCAL statement_timeout = 20", "SELECT pg_sleep(10)") == BUSY


def test_a_file_that_another_program_has_locked_is_told_as_it_is(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "file", isolation_level=None)) as one:
        one.execute("BEGIN EXCLUSIVE")
        other = sqlite3.connect(tmp_path / "file", timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError) as failed:
            other.execute("SELECT 1 FROM sqlite_master")
    assert sentence(failed.value, "sqlite:////file") == "the database cannot be used: database is locked"


@pytest.mark.parametrize("spelled", [PASSWORD, quote(PASSWORD), quote(PASSWORD, "")])
def test_a_password_that_the_driver_repeats_is_left_out(spelled: str) -> None:
    url = f"postgresql+psycopg://keeper:{quote(PASSWORD, '')}@h/d"
    said = sentence(OperationalError("", (), Exception(f"what is {spelled}, and where?")), url)
    assert said == "the database does not answer: what is ***, and where?"
