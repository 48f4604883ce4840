"""Two apps in one process share nothing in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.clock import Clock
from tests.support.rows import row, tamper
from tests.support.table_players import bet_all, betting, people, play_out, seated
from webapp.services.operations.backup import copy_database
from webapp.services.tables import snapshots

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@contextmanager
def copied(app: Flask, folder: Path) -> Iterator[Flask]:
    """An app on a copy of the database, with the same codes of tables."""
    source = Path(app.config["SQLALCHEMY_DATABASE_URI"].removeprefix("sqlite:///"))
    copy_database(source, folder / "copy.sqlite3")
    other = make_app(f"sqlite:///{folder / 'copy.sqlite3'}", folder)
    yield other
    close(other)


def test_a_heartbeat_at_one_app_is_none_at_the_other(app: Flask, clock: Clock, tmp_path: Path) -> None:
    alice, bob = seated(app, 2)
    with copied(app, tmp_path) as other:
        clock.move(20)
        bob.see()
        clock.move(0.4)
        alice.see()  # so soon after Bob's that it is not written yet
        clock.move(12)
        (watcher,) = people(other, 1)
        assert [seat["auto"] for seat in watcher.come(alice.code)["seats"]] == [True, True]
        assert [seat["auto"] for seat in bob.see()["seats"]] == [False, False]


def test_the_latest_rounds_are_those_of_the_own_database(app: Flask, tmp_path: Path) -> None:
    visitors = betting(app, 2)
    bet_all(visitors)
    play_out(visitors)
    (key,) = row(app, "SELECT round_key FROM shared_table")
    with copied(app, tmp_path) as other:
        tamper(other, "UPDATE table_round SET status = 'void' WHERE status = 'done'")
        for there, is_void in ((app, False), (other, True)):
            with there.app_context():
                assert [round.void for round in snapshots.latest_rounds(visitors[0].code, key)] == [is_void]
