"""Rows are locked in a fixed order, so that no two transactions wait for each other."""

import threading

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.rows import findings
from tests.support.table_players import TablePlayer, people, see_all
from webapp.extensions import db

pytestmark = [pytest.mark.pg, pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)]


class Crossing:
    """Lets each of two threads take its first lock before either goes on, if both can have one."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(2)
        self._thread = threading.local()
        self.deadlocks: list[str] = []

    def after(self, *args: object) -> None:
        statement = str(args[2])
        if "FROM shared_table" in statement and "FOR UPDATE" in statement and not getattr(self._thread, "passed", 0):
            self._thread.passed = 1
            try:
                self._barrier.wait(timeout=0.3)
            except threading.BrokenBarrierError:
                pass  # the other waits for our lock, as it should

    def failed(self, context: object) -> None:
        error = context.original_exception  # type: ignore[attr-defined]
        if getattr(error, "sqlstate", None) == "40P01":
            self.deadlocks.append(str(error))


def cross(app: Flask, *moves: tuple[TablePlayer, str, object]) -> Crossing:
    """Let two people act at the same moment."""
    crossing = Crossing()
    with app.app_context():
        engine = db.engine
    event.listen(engine, "after_cursor_execute", crossing.after)
    event.listen(engine, "handle_error", crossing.failed)
    threads = [threading.Thread(target=visitor.do, args=(verb, arg)) for visitor, verb, arg in moves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    event.remove(engine, "after_cursor_execute", crossing.after)
    event.remove(engine, "handle_error", crossing.failed)
    return crossing


def test_two_people_who_change_tables_crosswise_do_not_wait_for_each_other(app: Flask) -> None:
    visitors = people(app, 2)
    codes = [visitor.open() for visitor in visitors]
    for visitor in visitors:
        visitor.do("sit", 0)
    for visitor, code in zip(visitors, reversed(codes), strict=True):
        visitor.come(code)
    crossing = cross(app, (visitors[0], "sit", 1), (visitors[1], "sit", 1))
    assert crossing.deadlocks == []
    statuses = sorted(visitor.status for visitor in visitors)
    assert statuses in ([200, 200], [200, 409]), "one of them may find that the other has left meanwhile"
    for visitor in visitors:
        if visitor.status == 409:
            visitor.now("sit", 1)
    see_all(visitors)
    assert [visitor.seat()["seat"] for visitor in visitors] == [1, 1]
    assert findings(app) == []
