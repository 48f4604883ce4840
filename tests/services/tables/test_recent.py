"""The latest rounds of a table: read once for all viewers, and cached once for each table."""

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.rows import row
from tests.support.table_players import bet_all, betting, play_out, see_all
from webapp.services.tables import snapshots

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def test_an_app_keeps_one_list_a_table_however_many_rounds_are_played(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    code = visitors[0].code
    lists, kept = [], []
    for _ in range(3):
        bet_all(visitors)
        play_out(visitors)
        (key,) = row(app, "SELECT round_key FROM shared_table")
        with app.app_context():
            lists.append([round.seq for round in snapshots.latest_rounds(code, key)])
            assert snapshots.latest_rounds(code, key) is snapshots.latest_rounds(code, key), "read once"
            kept.append(len(app.extensions["recent_rounds"]))
        for visitor in visitors:
            visitor.now("ready")
        see_all(visitors)
    assert kept == 3 * kept[:1], "other tables may be in it, but this one only once"
    assert lists == [[1], [2, 1], [3, 2, 1]]
