"""A hand costs the same with a hundred thousand stored hands: no query scans a whole table."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Engine, event

from tests.support.moves import dealt, every_game, finished
from tests.support.player import Player
from tests.support.rows import findings
from webapp.extensions import Base, db

THROUGH_ALL = re.compile(rf"^SCAN ({'|'.join(Base.metadata.tables)})\b|^MATERIALIZE")
LOOKED_AT = ("/", "/me", "/play/{game}", "/h/{hand}")


@contextmanager
def listening(engine: Engine) -> Iterator[dict[str, Any]]:
    """Record the statements of this block with their parameters."""
    asked: dict[str, Any] = {}

    def hear(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, _many: Any) -> None:
        asked.setdefault(statement, values)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", hear)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@every_game
def test_no_query_of_a_hand_goes_through_all_there_are(app: Flask, alice: Player, game: str) -> None:
    with app.app_context():
        engine = db.engine
    for _ in range(2):  # the second time there is a hand to look back at, and a shoe to go on with
        with listening(engine) as asked:
            dealt(alice, game=game)
            finished(alice)
            hand = alice.hand
            for path in LOOKED_AT:
                assert alice.get(path.format(game=game, hand=hand)).status == 200
    with engine.connect() as connection:
        plans = {
            statement: [line.detail for line in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            for statement, values in asked.items()
            if statement.startswith(("SELECT", "UPDATE"))
        }
        connection.rollback()
    assert len(plans) > len(LOOKED_AT)
    assert {said: plan for said, plan in plans.items() if any(THROUGH_ALL.match(line) for line in plan)} == {}
    assert findings(app) == []
