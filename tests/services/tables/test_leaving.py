"""Leaving between rounds, during one, and as the banker; what the others see of it; and an empty purse."""

import time

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.player import Json
from tests.support.rows import findings, row
from tests.support.table_players import (
    TablePlayer,
    acting,
    banker_of,
    bet_all,
    betting,
    finished,
    keep_alive,
    people,
    play_out,
    players,
    playing,
    seated,
    see_all,
)
from webapp.services import purses

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def watch(visitors: list[TablePlayer], clock: Clock) -> None:
    """Let those who stay play on until the round is over."""
    for _ in range(60):
        see_all(visitors)
        if visitors[0].phase != "playing":
            return
        acting = next((visitor for visitor in visitors if visitor.you == visitor.table["acting"]), None)
        if acting:
            acting.do("stand" if "stand" in acting.table["actions"] else "hit")
        else:
            clock.move(2)
    raise AssertionError("the round does not end")


def test_between_rounds_the_seat_is_free_at_once(app: Flask) -> None:
    visitors = seated(app, 3)
    visitors[1].now("leave")
    assert visitors[1].status == 200
    assert visitors[1].you is None
    assert visitors[0].see()["free"] == [1, 3, 4]
    visitors[1].now("sit", 4)
    assert visitors[1].you == 4


@pytest.mark.parametrize("who", ["a player", "the bank"])
def test_in_a_round_the_seat_plays_by_itself_to_the_end_and_is_paid(app: Flask, clock: Clock, who: str) -> None:
    visitors = playing(app, 3)
    leaver = banker_of(visitors) if who == "the bank" else acting(visitors)
    stay = [visitor for visitor in visitors if visitor is not leaver]
    number = leaver.you
    leaver.now("leave")
    assert leaver.status == 200
    assert leaver.seat()["auto"]
    assert leaver.table["actions"][-1] != "leave"
    assert "stand" not in leaver.table["actions"] or who == "a player"
    watch(stay, clock)
    hand = finished(stay[0])
    mine = next(place for place, seat in enumerate(hand["seats"]) if seat["seat"] == number)
    reasons = [
        reason
        for move, reason in zip(hand["moves"], hand["reasons"], strict=True)
        if (move.rpartition("@")[2] if "@" in move else "0") == str(mine)
    ]
    assert set(reasons) <= ({"left", "forced"} if who == "the bank" else {"left"})
    assert number in stay[0].table["free"]
    assert hand["status"] == "done"
    assert leaver.get("/me").json["games"][0]["purse"] == 1000 + hand["seats"][mine]["net"]
    assert reasons or who == "the bank", "who was in turn has to be played for"
    assert ("(has left)" in stay[0].get(f"/h/{hand['hand']}", Accept="text/html").text) == ("left" in reasons)
    for visitor in stay:
        visitor.now("ready")
    assert stay[0].see()["phase"] == "betting"
    assert stay[0].table["banker"] != number
    assert findings(app) == []


def test_who_leaves_in_a_round_may_stay_after_all(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2)
    leaver = players(visitors)[0]
    leaver.now("leave")
    leaver.do("sit", leaver.you)
    assert leaver.status == 200
    assert not leaver.seat()["auto"]
    play_out(visitors)
    assert leaver.see()["you"] is not None


@pytest.mark.parametrize("how", ["leaves", "falls silent", "falls silent at once"])
def test_who_goes_when_the_bank_is_gone_does_not_undo_the_round(app: Flask, clock: Clock, how: str) -> None:
    """All seats are automatic then, but this player has seen the cards and that nobody else was there."""
    visitors = playing(app, 2, turn_clock=60)
    goes, number = players(visitors)[0], banker_of(visitors).you
    if how == "falls silent at once":  # with a sign just before, and one so soon after that it is not written down
        clock.move(28.4)
        people(app, 1)[0].come(goes.code)
        clock.move(0.1)
        goes.see()
        clock.move(2)
    else:
        keep_alive([goes], clock, 31)
    goes.see()
    assert goes.seat(number)["auto"], "the bank has fallen silent"
    if how == "leaves":
        goes.now("leave")
    assert ended_alone(app, goes.code, clock)["status"] == "done"
    assert findings(app) == []


def test_who_leaves_after_the_bank_has_left_does_not_undo_the_round(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2)
    banker_of(visitors).now("leave")
    players(visitors)[0].now("leave")
    assert ended_alone(app, visitors[0].code, clock)["status"] == "done"
    assert findings(app) == []


def ended_alone(app: Flask, code: str, clock: Clock) -> Json:
    """Return the finished round after a watcher saw it without any of the players."""
    (watcher,) = people(app, 1)
    for _ in range(60):
        clock.move(31)
        if watcher.come(code)["phase"] != "playing":
            return finished(watcher)
    raise AssertionError("the round does not end")


def test_who_leaves_before_betting_is_not_in_the_round(app: Flask) -> None:
    visitors = betting(app, 2)
    stays, leaver = banker_of(visitors), players(visitors)[0]
    leaver.now("leave")
    assert stays.see()["phase"] == "waiting"
    assert stays.chips == 1000, "what the bank had put up is back"
    assert findings(app) == []


def test_a_purse_that_pays_no_bet_any_more_is_filled_for_the_next_round(app: Flask) -> None:
    visitors = betting(app, 2)
    bet_all(visitors)
    play_out(visitors)
    poor = visitors[0]
    (player,) = row(app, "SELECT player_id FROM table_seat WHERE number = 0")
    with app.app_context():
        left = purses.balance(player, "table21")
        purses._enter(player, "table21", None, "spent", 9 - left, int(time.time() * 1000))
        purses.db.session.commit()
    assert poor.see()["phase"] == "settled"
    for visitor in visitors:
        visitor.now("ready")
    assert poor.see()["phase"] == "betting"
    assert poor.chips == 1000
    (career,) = poor.get("/me").json["games"]
    assert career["runs"] == 2
    assert findings(app) == []


def test_a_page_without_a_script_asks_again_but_not_from_under_who_is_betting(app: Flask) -> None:
    visitors = betting(app, 2)
    (watcher,) = people(app, 1)
    waits = []
    banker_of(visitors).now("cut", cut="word")
    for visitor in (*players(visitors), banker_of(visitors), watcher):
        page = visitor.get(f"/t/{visitors[0].code}", Accept="text/html").text
        waits.append(int(page.partition('http-equiv="refresh" content="')[2].partition(";")[0]))
    assert 15 <= waits[0] <= 21
    assert waits[1:] == [4, 8], "who may sit down writes a name first"


def test_a_round_that_nobody_is_left_to_play_is_taken_back_and_its_deck_waits(app: Flask) -> None:
    """Otherwise site and player could discard decks they dislike: nobody would see them, and a number is missing."""
    visitors = betting(app, 2)
    committed, first = visitors[0].table["commitment"], banker_of(visitors)
    for seat in (3, 4):
        see_all(visitors)
        banker, (player,) = banker_of(visitors), players(visitors)
        chips = banker.chips
        assert banker is first, "it has not had its turn"
        player.now("leave")
        banker.see()
        assert (banker.phase, banker.table["commitment"]) == ("waiting", committed)
        assert banker.chips == chips
        assert findings(app) == []
        player.now("sit", seat)
        assert player.status == 200
        for visitor in visitors:
            if "ready" in visitor.see()["actions"]:
                visitor.do("ready")
                assert visitor.status == 200
    see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    see_all(visitors)
    hand = finished(visitors[0])
    assert (hand["seq"], hand["proof"]["commitment"]) == (1, committed)
    assert row(app, "SELECT count(*) FROM table_round WHERE finished_at IS NOT NULL") == (1,)
    assert findings(app) == []


def test_those_who_played_see_their_end_when_somebody_else_sits_where_the_bank_sat(app: Flask) -> None:
    visitors = betting(app, 2)
    bet_all(visitors)
    play_out(visitors)
    banker, (player,) = banker_of(visitors), players(visitors)
    net, number = player.seat()["net"], banker.you
    banker.now("leave")
    (late,) = people(app, 1)
    late.come(banker.code)
    late.now("sit", number)
    assert (late.status, late.phase) == (200, "settled")
    page = player.get(f"/t/{player.code}", Accept="text/html")
    assert page.status == 200
    assert ("You win" if net > 0 else "You lose" if net else "You break even") in page.text


def test_a_bank_that_has_left_is_gone_when_there_is_nothing_to_play(app: Flask) -> None:
    """It leaves at the end of the round, which is taken back because the only player leaves before betting."""
    visitors = betting(app, 2)
    banker, (player,) = banker_of(visitors), players(visitors)
    banker.now("leave")
    assert banker.seat()["left"]
    player.now("leave")
    assert player.see()["phase"] == "waiting"
    assert player.table["seats"] == []
    banker.see()
    assert banker.you is None
    assert findings(app) == []
