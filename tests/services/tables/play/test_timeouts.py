"""Deadlines, absence and return. Whoever asks next does what is due, and only once."""

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.concurrency import at_once
from tests.support.rows import findings
from tests.support.table_players import (
    TablePlayer,
    acting,
    banker_of,
    betting,
    finished,
    keep_alive,
    moves_at,
    people,
    play_out,
    players,
    playing,
    seated,
    see_all,
)
from webapp.engine import notation
from webapp.services.fairness.verification import checks

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def play_on(there: TablePlayer, clock: Clock) -> None:
    """To the end of the round, in the company of people who have gone."""
    for _ in range(30):
        keep_alive([there], clock, 5)
        if there.phase == "playing" and there.table["acting"] == there.you:
            there.do("stand" if "stand" in there.table["actions"] else "hit")
        if there.phase != "playing":
            break


# ------------------------------------------------------------------------------------------------ bets


@on_sqlite
def test_out_of_time_the_minimum_bet_is_placed_and_it_says_so(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    keep_alive(visitors, clock, 19)
    assert visitors[0].phase == "betting"
    keep_alive(visitors, clock, 2)
    assert visitors[0].phase in ("playing", "settled")
    assert visitors[0].see()["exposure"] == 20
    bets = [line for line in visitors[0].table["log"] if line["label"]["code"] == "SEAT_BET"]
    assert [(line["label"]["args"]["chips"], line["auto"]["reason"]) for line in bets] == [(10, "late")]
    while visitors[0].phase == "playing":
        play_out(visitors)
    hand = finished(visitors[0])
    assert [seat["auto_bet"] for seat in hand["seats"] if not seat["banker"]] == [True]
    assert hand["stakes"][1 - [seat["banker"] for seat in hand["seats"]].index(True)] == 10


@on_sqlite
def test_the_deal_starts_at_once_when_all_bets_are_in(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 2)
    (player,) = players(visitors)
    said = player.do("bet", 10)
    assert said["phase"] in ("playing", "settled")


# ------------------------------------------------------------------------------------------------ turns


@on_sqlite
def test_out_of_time_a_seat_draws_on_eleven_or_less_and_stands_on_more(app: Flask, clock: Clock) -> None:
    for _ in range(6):
        visitors = playing(app)
        seat = visitors[0].seat(visitors[0].table["acting"])
        before = seat["hands"][0]
        keep_alive(visitors, clock, 21)
        after = visitors[0].seat(seat["seat"])["hands"][0]
        assert after["moves"] == (["hit"] if before["total"] <= 11 else ["stand"])


@on_sqlite
def test_only_the_acting_seats_legal_action_resets_the_clock(app: Flask, clock: Clock) -> None:
    visitors = playing(app)
    deadline = visitors[0].table["deadline"]
    clock.move(3)
    other = banker_of(visitors)
    other.now("policy", "dealer")
    assert other.status == 200
    other.now("hit")
    assert other.status == 422
    (watcher,) = people(app, 1)
    watcher.come(other.code)
    watcher.do("sit", 4)
    assert watcher.status == 200
    actor = acting(visitors)
    actor.now("bet" if "split" in actor.table["actions"] else "split", 7)
    assert actor.see()["deadline"] == deadline
    verb = "stand" if "stand" in actor.table["actions"] else "hit"
    actor.do(verb)
    assert actor.table["deadline"] != deadline


@on_sqlite
def test_automatic_actions_are_labelled_on_the_finished_hand(app: Flask, clock: Clock) -> None:
    visitors = playing(app)
    players(visitors)[0].now("policy", "dealer")
    assert not any(line["auto"] for line in visitors[0].see()["log"])
    keep_alive(visitors, clock, 21)
    assert {"policy": "dealer", "reason": "late"} in [line["auto"] for line in visitors[0].table["log"]]
    assert (
        "automatic, like a dealer (out of time)" in visitors[1].get(f"/t/{visitors[1].code}", Accept="text/html").text
    )
    while visitors[0].see()["phase"] == "playing":
        keep_alive(visitors, clock, 21)
    hand = finished(visitors[0])
    assert set(hand["reasons"]) <= {"late", "forced"}
    place = [seat["banker"] for seat in hand["seats"]].index(True)
    assert hand["autos"]
    for move, auto in zip(hand["moves"], hand["autos"], strict=True):
        by_the_bank = move.endswith(f"@{place}") if place else "@" not in move
        assert auto == ("bank" if by_the_bank else "dealer")
    page = visitors[0].get(f"/h/{hand['hand']}", Accept="text/html").text
    assert "automatic, like a dealer (out of time)" in page
    assert "· automatic, like a dealer (out of time)" in visitors[0].get(f"/h/{hand['hand']}.txt").text


# ------------------------------------------------------------------------------------------------ away


@on_sqlite
def test_who_gives_no_sign_of_life_is_on_auto_and_any_sign_takes_the_seat_back(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=300)
    gone, there = banker_of(visitors), players(visitors)[0]
    keep_alive([there], clock, 28)
    assert not there.seat(gone.you)["auto"]
    keep_alive([there], clock, 8)
    assert there.seat(gone.you)["auto"]
    gone.see()
    assert not gone.seat()["auto"], "looking is a heartbeat"
    assert not there.see()["seats"][0]["auto"]


@on_sqlite
def test_the_winnings_of_the_absent_are_paid_and_the_seat_is_free(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=40)
    gone, there = players(visitors)[0], banker_of(visitors)
    number = gone.you
    play_on(there, clock)
    hand = finished(there)
    assert hand["status"] == "done", "one of them was there"
    (net,) = [seat["net"] for seat in hand["seats"] if not seat["banker"]]
    assert number in there.see()["free"]
    gone.see()
    gone.do("sit", number)
    assert gone.chips == 1000 + net
    assert findings(app) == []


@on_sqlite
def test_if_all_seats_are_on_auto_the_round_is_void_and_the_stakes_return(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 3)
    (watcher,) = people(app, 1)
    for _ in range(30):
        clock.move(31)  # longer than anybody may be silent: a round may need no more than one turn
        watcher.come(visitors[0].code)
        if watcher.phase != "playing":
            break
    hand = finished(watcher)
    assert hand["status"] == "void"
    assert [seat["net"] for seat in hand["seats"]] == [0, 0]
    assert hand["proof"]["seed"], "what had a cut is revealed"
    assert watcher.table["free"] == [0, 1, 2, 3, 4]
    assert findings(app) == []
    page = watcher.get(f"/h/{hand['hand']}", Accept="text/html").text
    assert "This round is void" in page
    assert set(hand["reasons"]) <= {"late", "away", "forced"}
    assert [reason for reason in hand["reasons"] if reason != "forced"][-1] == "away"


@on_sqlite
def test_a_void_round_lists_no_payouts_that_nobody_got(app: Flask, clock: Clock) -> None:
    """Played to its end by automatic policies alone: the cards say who would have won, the books that nobody did."""
    visitors = playing(app, 2)
    (watcher,) = people(app, 1)
    for _ in range(30):
        clock.move(31)
        watcher.come(visitors[0].code)
        if watcher.phase != "playing":
            break
    hand = finished(watcher)
    assert (hand["status"], hand["payouts"]) == ("void", [])
    assert [seat["payout"] for seat in hand["seats"]] != [0, 0], "their stakes are back"
    assert hand["notation"].split()[-1] == "void"
    assert notation.dumps(notation.loads(hand["notation"])) == hand["notation"]
    assert all(check.ok for check in checks(hand))
    assert not all(check.ok for check in checks(hand | {"payouts": [20, 0]}))


@on_sqlite
def test_a_table_may_close_when_somebody_stays_away(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, on_absent="close", turn_clock=40)
    there = banker_of(visitors)
    play_on(there, clock)
    assert finished(there)["status"] == "done", "it is counted"
    assert there.phase == "closed"
    assert there.table["actions"] == []
    there.do("sit", 0)
    assert (there.status, there.answer.json["error"]) == (422, "table-closed")


@on_sqlite
def test_where_one_is_soon_taken_for_absent_who_only_waits_is_there(app: Flask, clock: Clock) -> None:
    """A page gives a sign three times as often as it takes to be absent."""
    visitors = playing(app, 2, absent_after=4, turn_clock=60)
    for _ in range(12):
        clock.move(1.4)
        for visitor in visitors:
            visitor.see()
            assert [seat["auto"] for seat in visitor.table["seats"]] == [False, False]
    assert visitors[0].phase == "playing"


@on_sqlite
def test_who_is_away_between_rounds_is_not_dealt_in(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 3)
    visitors[0].now("ready")
    keep_alive(visitors[1:], clock, 40)
    visitors[1].now("ready")
    assert visitors[1].phase == "waiting", "nobody is there to play with"
    visitors[2].now("ready")
    assert visitors[2].phase == "betting"
    assert visitors[2].table["free"] == [0, 3, 4]


@on_sqlite
def test_who_was_away_while_another_got_ready_can_still_begin_a_round(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    visitors[0].now("ready")
    keep_alive(visitors[1:], clock, 40)
    visitors[1].now("ready")
    see_all(visitors)
    assert visitors[0].phase == "waiting"
    assert "ready" in visitors[0].table["actions"]
    visitors[0].do("ready")
    assert visitors[0].phase == "betting"


@on_sqlite
def test_an_empty_chair_is_given_free_after_a_while(app: Flask, clock: Clock) -> None:
    visitors = seated(app, 2)
    keep_alive(visitors[1:], clock, 200)
    assert visitors[1].table["free"] == [0, 2, 3, 4]


# ------------------------------------------------------------------------------------------------ once


def test_an_overdue_deadline_is_fired_once_however_many_ask_at_once(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=10)
    version = visitors[0].version
    moves = moves_at(visitors[0].table)
    crowd = [TablePlayer(app.test_client()) for _ in range(8)]
    clock.move(11)
    heard = at_once(crowd, lambda visitor: visitor.come(visitors[0].code))
    assert [status for status, _ in heard] == [200] * 8
    visitors[0].see()
    assert moves_at(visitors[0].table) == moves + 1
    assert visitors[0].version == version + 1


@on_sqlite
def test_after_a_short_silence_of_the_site_one_clock_runs_out_and_not_all(app: Flask, clock: Clock) -> None:
    """A server that was down for a minute has not taken everybody's turn."""
    visitors = playing(app, 4)
    before = moves_at(visitors[0].table)
    clock.move(25)
    visitors[0].see()
    assert moves_at(visitors[0].table) <= before + 1


@on_sqlite
def test_what_nobody_looked_at_for_an_hour_has_come_to_its_end(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 3, turn_clock=40)  # before the first turn is over all are away
    clock.move(3600)
    (watcher,) = people(app, 1)
    watcher.come(visitors[0].code)
    assert watcher.phase == "waiting"
    assert finished(watcher)["status"] == "void"
    assert findings(app) == []


@on_sqlite
def test_late_is_too_late(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2)
    late = players(visitors)[0]
    chips = late.seat()["chips"]
    clock.move(20.5)
    late.do("hit")
    assert late.status == 409
    assert late.table["version"] > 0
    assert late.seat()["hands"][0]["moves"][-1:] != ["double"]
    paid = late.seat()["hands"][0]["bet"] + late.seat()["net"] if late.phase == "settled" else 0
    assert late.seat()["chips"] == chips + paid, "what was bet before is all that was played for"
