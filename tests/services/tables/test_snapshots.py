"""Snapshots of a table: each shows one moment, whatever others do while it is read."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from tests.support.table_players import betting, people, players
from webapp.extensions import db
from webapp.services.tables import snapshots


def engine_of(app: Flask) -> Engine:
    with app.app_context():
        return db.engine


@contextmanager
def listening(engine: Engine, name: str, listener: Callable[..., None]) -> Iterator[None]:
    event.listen(engine, name, listener)
    yield
    event.remove(engine, name, listener)


@pytest.mark.pg
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_bet_that_comes_while_a_table_is_read_is_shown_wholly_or_not_at_all(app: Flask) -> None:
    visitors = betting(app, 2)
    (player,), (watcher,) = players(visitors), people(app, 1)
    before = player.see()
    with app.app_context():
        snapshots.snapshots().clear()
    bets: list[threading.Thread] = []

    def bet_meanwhile(*args: object) -> None:
        if "JOIN purse" in str(args[2]) and not bets:
            bets.append(threading.Thread(target=player.do, args=("bet", 10, "word")))
            bets[0].start()
            bets[0].join()

    with listening(engine_of(app), "before_cursor_execute", bet_meanwhile):
        shown = watcher.come(player.code)
    assert (len(bets), player.status) == (1, 200)
    assert (shown["version"], shown["seats"]) == (before["version"], before["seats"])
    assert watcher.see()["seats"] != before["seats"]


def test_the_table_after_a_command_is_read_before_others_can_change_it(app: Flask) -> None:
    """It is read under the lock, and not after the commit that releases it."""
    (player,) = players(betting(app, 2))
    said: list[str] = []
    engine = engine_of(app)
    with (
        listening(engine, "before_cursor_execute", lambda *args: said.append(args[2])),
        listening(engine, "commit", lambda _connection: said.append("COMMIT")),
    ):
        player.do("bet", 10, "word")
    assert player.status == 200
    read = [number for number, statement in enumerate(said) if "JOIN purse" in statement]
    assert read
    assert max(read) < said.index("COMMIT")
