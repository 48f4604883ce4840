"""A round at a shared table over HTTP: from two players who are ready to the settlement and the next banker."""

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.concurrency import at_once
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.moves import finished_json
from tests.support.rows import findings, row
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    bet_all,
    people,
    play_out,
    players,
    playing,
    seated,
    see_all,
)
from webapp.services.fairness.verification import checks


def test_from_two_ready_seats_to_the_next_banker(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    first = visitors[0]
    assert first.phase == "waiting"
    committed = first.table["commitment"]
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    assert first.phase == "betting"
    assert first.table["commitment"] == committed, "it stood there before anybody had cut"
    banker = banker_of(visitors).you
    bet_all(visitors, 40)
    assert first.phase in ("playing", "settled"), "two naturals end a round with the deal"
    assert first.table["exposure"] == 80
    play_out(visitors)
    assert first.phase == "settled"
    assert sum(seat["chips"] for seat in first.table["seats"]) == 2000
    assert sum(seat["net"] for seat in first.table["seats"]) == 0
    hand = finished_json(first, first.table["last"].removeprefix("/h/"))
    assert hand["proof"]["commitment"] == committed
    assert len(hand["proof"]["cuts"]) == 2
    assert all(check.ok for check in checks(hand))
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    assert first.phase == "betting"
    assert banker_of(visitors).you == 1 - (banker or 0), "the bank goes round"
    assert findings(app) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_five_rounds_of_five(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 5)
    for visitor in visitors:
        visitor.now("ready")
    banks = []
    for _ in range(6):
        see_all(visitors)
        banks.append(banker_of(visitors).you)
        bet_all(visitors, 20)
        play_out(visitors, ("split", "double", "hit", "stand"))
        assert sum(seat["chips"] for seat in visitors[0].table["seats"]) == 5000
        for visitor in visitors:
            visitor.now("ready")
    assert len(players(visitors)) == 4
    assert set(banks[1:]) == {0, 1, 2, 3, 4}, "those who were ready later play from the second round on"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_watcher_sees_what_a_watcher_may(app: Flask) -> None:
    visitors = playing(app)
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    assert watcher.you is None
    assert watcher.table["actions"] == ["sit-2", "sit-3", "sit-4"]
    assert watcher.table["seat_link"] is None
    assert None in watcher.seat(watcher.table["banker"])["hands"][0]["cards"]


def test_who_sits_down_at_two_tables_at_once_sits_at_one(app: Flask) -> None:
    owners = [people(app, 1)[0] for _ in range(4)]
    codes = [owner.open() for owner in owners]
    (alice,) = people(app, 1)
    alice.open()  # so that all tabs are the same player's
    tabs = [TablePlayer(app.test_client()) for _ in codes]
    for tab, code in zip(tabs, codes, strict=True):
        send_from_now_on(tab, cookie_of(alice))
        tab.come(code)
    at_once(tabs, _sit)
    assert row(app, "SELECT count(*) FROM table_seat") == (1,)


def _sit(tab: TablePlayer) -> dict:
    return dict(tab.do("sit", 0))


def test_two_who_change_places_between_two_tables_do_not_block_each_other(app: Flask) -> None:
    """Each command locks its own table and then waits for the one that the player leaves."""
    pair = people(app, 2)
    codes = [visitor.open() for visitor in pair]
    for visitor in pair:
        visitor.now("sit", 0)
    for _ in range(12):
        for visitor in pair:
            here = visitor.see()["you"] is not None
            visitor.come(codes[1 - codes.index(visitor.code)] if here else visitor.code)
        heard = at_once(pair, _sit_somewhere)
        assert {status for status, _ in heard} <= {200, 409}, "409: the other has left it meanwhile"
    assert row(app, "SELECT count(*), count(DISTINCT player_id) FROM table_seat") == (2, 2)
    assert findings(app) == []


def _sit_somewhere(tab: TablePlayer) -> dict:
    return dict(tab.do("sit", tab.table["free"][0]))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_who_takes_another_name_is_called_so_at_the_table_at_once(app: Flask) -> None:
    alice, bob = seated(app, 2)
    version = bob.see()["version"]
    alice.post("/settings", [("name", "Alicia")])
    assert bob.see()["version"] > version, "or a page that asks what is new hears of nothing"
    assert alice.see()["seats"][0]["name"] == bob.table["seats"][0]["name"] == "Alicia"
    version = bob.version
    alice.post("/settings", [("name", "Alicia"), ("theme", "dark")])
    assert bob.see()["version"] == version, "that is no news"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_name_comes_with_sitting_down_and_not_with_being_refused(app: Flask) -> None:
    (alice,), (carol,) = seated(app, 1), people(app, 1)
    version = alice.see()["version"]
    carol.come(alice.code)
    for seat, name, at, why in (
        (0, "Carol", version, 422),
        (1, "Carol", version - 1, 409),
        (1, "a" * 25, version, 422),
    ):
        carol.do("sit", seat, version=at, name=name)
        assert carol.status == why
        assert carol.get("/me").json["name"] == ""
    carol.do("sit", 1, version=version, name="Carol")
    assert carol.status == 200
    assert (carol.table["seats"][1]["name"], carol.you) == ("Carol", 1)
