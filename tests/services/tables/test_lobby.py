"""The list of public tables: players, free seats, and the number of queries it takes."""

import pytest
from flask import Flask
from sqlalchemy import event

from tests.support.clock import Clock
from tests.support.player import Json
from tests.support.table_players import TablePlayer, betting, keep_alive, people, seated
from webapp.extensions import db
from webapp.services.tables import lobby

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def listed(app: Flask) -> list[Json]:
    """Return the list as a visitor without a cookie sees it."""
    (stranger,) = people(app, 1)
    tables: list[Json] = stranger.get("/tables").json["tables"]
    return tables


def in_play_with_a_bot(app: Flask) -> TablePlayer:
    (visitor,) = people(app, 1)
    visitor.open(public=1, bot=1)
    visitor.do("ready")
    assert visitor.phase in ("betting", "playing", "settled")
    return visitor


def test_the_list_takes_as_many_queries_for_many_tables_as_for_one(app: Flask) -> None:
    statements: list[str] = []

    def queries() -> int:
        statements.clear()
        listed(app)
        return len(statements)

    in_play_with_a_bot(app)
    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    before = queries()
    for _ in range(5):
        in_play_with_a_bot(app)
    assert len(listed(app)) == 6
    assert queries() == before <= 4


def test_the_list_counts_people_who_are_there(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 3, public=1)
    visitors[0].now("bot", 4)
    assert [(table["people"], table["free"]) for table in listed(app)] == [(3, 1)]
    clock.move(31)
    assert [table["people"] for table in listed(app)] == [], "nobody has asked for longer than the rules allow"
    visitors[0].see()
    assert [(table["people"], table["free"]) for table in listed(app)] == [(1, 1)]


def test_who_leaves_during_a_round_is_not_counted_but_has_no_free_seat_yet(app: Flask) -> None:
    visitors = betting(app, 3, public=1)
    next(visitor for visitor in visitors if visitor.you == visitor.table["banker"]).now("leave")
    assert [(table["people"], table["free"]) for table in listed(app)] == [(2, 2)]


def test_a_full_table_stays_in_the_list_so_that_it_can_be_watched(app: Flask) -> None:
    visitors = seated(app, 5, public=1)
    assert [(table["code"], table["people"], table["free"]) for table in listed(app)] == [(visitors[0].code, 5, 0)]
    page = people(app, 1)[0].get("/tables", Accept="text/html").text
    assert visitors[0].code in page


def test_full_tables_come_after_those_with_free_seats(app: Flask, clock: Clock) -> None:
    free = seated(app, 1, public=1)[0].code
    clock.move(1)
    full = seated(app, 5, public=1)[0].code
    assert [table["code"] for table in listed(app)] == [free, full]


def test_tables_that_all_have_left_hide_no_other(app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "LISTED", 1)
    (alice,) = seated(app, 1, public=1)
    clock.move(1)
    for _ in range(5):
        seated(app, 1, public=1)
    keep_alive([alice], clock, 10 * 60 + 60)  # the longest that any rules allow, and some more
    assert [table["code"] for table in listed(app)] == [alice.code]


def test_many_tables_do_not_hide_those_that_were_there_before(
    app: Flask, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "LISTED", 4)
    before = seated(app, 1, public=1)[0]
    for _ in range(9):
        clock.move(1)
        last = seated(app, 1, public=1)[0]
    before.see()
    codes = [table["code"] for table in listed(app)]
    assert len(codes) == 4
    assert {before.code, last.code} <= {*codes}
