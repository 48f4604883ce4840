"""Write transactions."""

import threading
from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import Player
from webapp.services.core.database import writing
from webapp.services.players import new_player


def add(key: str) -> None:
    with writing() as session:
        session.add(Player(id=key, name="", created_at=0))


def add_and(key: str, then: Callable[[], object]) -> None:
    with writing() as session:
        session.add(Player(id=key, name="", created_at=0))
        session.flush()
        then()


def players() -> int:
    return db.session.scalars(select(func.count()).select_from(Player)).one()


def test_a_transaction_inside_another_is_refused_and_the_outer_one_is_rolled_back(app: Flask) -> None:
    """The inner one begins with a rollback, which would discard the changes of the outer one."""
    with app.app_context():
        with pytest.raises(RuntimeError, match="writing"):
            add_and("outer", new_player)
        assert players() == 0
        add("afterwards")
        assert players() == 1


def test_an_error_in_a_transaction_leaves_nothing_behind_and_the_next_one_is_possible(app: Flask) -> None:
    with app.app_context():
        with pytest.raises(ValueError, match="invalid literal"):
            add_and("half", lambda: int("none"))
        add("whole")
        assert players() == 1


def test_two_threads_may_write_one_after_the_other(app: Flask) -> None:
    def work(number: int) -> None:
        with app.app_context():
            add(f"player-{number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with app.app_context():
        assert players() == 4
