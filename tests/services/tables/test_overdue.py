"""Deadlines of a shared table: the next request does what is overdue, and only once."""

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
)

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


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
    """A minute of downtime does not take everybody's turn."""
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
