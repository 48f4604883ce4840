"""The bot of a seat is one player, however often it is added and removed."""

import pytest
from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.rows import findings, row
from tests.support.table_players import people, seated

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def stored_players(app: Flask) -> int:
    return int(row(app, "SELECT count(*) FROM player")[0])


def test_a_seat_has_one_bot_player_however_often_it_is_called(app: Flask) -> None:
    (alice,) = seated(app, 1)
    for _ in range(10):
        for number in (1, 3):
            alice.do("bot", number)
            assert alice.status == 200, alice.answer.text
    assert [seat["seat"] for seat in alice.table["seats"]] == [0]
    assert stored_players(app) == 3, "hers, and one for each of the two seats"


def test_a_bot_that_comes_back_plays_on_with_its_chips(app: Flask) -> None:
    (alice,) = people(app, 1)
    alice.open(bot=1)
    alice.do("ready")
    if "bet" in alice.see()["actions"]:  # else she is the banker
        alice.do("bet", 10)
    while alice.see()["phase"] == "playing" and "stand" in alice.table["actions"]:
        alice.do("stand")
    number = next(seat["seat"] for seat in alice.table["seats"] if seat["bot"])
    before = stored_players(app)
    alice.now("bot", number)
    alice.now("bot", number)
    assert stored_players(app) == before
    assert findings(app) == []


def test_a_table_that_is_removed_takes_its_bots_along(app: Flask, clock: Clock) -> None:
    (alice,) = seated(app, 1)
    alice.now("bot", 1)
    alice.now("bot", 1)
    alice.now("leave")
    before = stored_players(app)
    clock.move(31 * 60)
    run_timer(app, "abandoned tables")
    assert row(app, "SELECT count(*) FROM shared_table WHERE code = :code", code=alice.code) == (0,)
    assert stored_players(app) == before - 1, "one bot less"
