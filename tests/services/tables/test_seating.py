"""Sitting down: the same command makes ready, and opens the bets at once if a bot is the opponent."""

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.rows import findings
from tests.support.table_players import TablePlayer, bet_all, betting, finished, people, play_out, playing, see_all

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def invited(app: Flask) -> tuple[TablePlayer, TablePlayer]:
    """Return a seated player who is ready, and another person with the link."""
    alice, bob = people(app, 2)
    bob.come(alice.open())
    alice.do("sit", 0, name="Alice", ready="1", cut="alices")
    bob.see()
    return alice, bob


def test_the_second_who_sits_down_ready_begins_the_round_and_both_cuts_count(app: Flask, clock: Clock) -> None:
    alice, bob = invited(app)
    assert (alice.phase, alice.seat()["ready"], alice.seat()["name"]) == ("waiting", True, "Alice")
    bob.do("sit", 1, name="Bob", ready="1", cut="bobs")
    assert (bob.status, bob.phase, bob.seat()["name"]) == (200, "betting", "Bob")
    visitors = [alice, bob]
    see_all(visitors)
    bet_all(visitors)
    play_out(visitors)
    cuts = finished(alice)["proof"]["cuts"]
    banker = next(seat["seat"] for seat in alice.table["seats"] if seat["banker"])
    assert cuts[banker] == ("alices", "bobs")[banker], "a banker does not bet, and has cut by sitting down"
    assert findings(app) == []


def test_who_only_sits_down_is_not_ready(app: Flask) -> None:
    _, bob = invited(app)
    bob.do("sit", 1)
    assert (bob.phase, bob.seat()["ready"]) == ("waiting", False)
    assert "ready" in bob.table["actions"]


@pytest.mark.parametrize("phase", ["betting", "playing", "settled"])
def test_who_sits_down_ready_while_others_play_is_in_the_next_round(app: Flask, clock: Clock, phase: str) -> None:
    visitors = betting(app) if phase == "betting" else playing(app)
    if phase == "settled":
        play_out(visitors)
    (carol,) = people(app, 1)
    carol.come(visitors[0].code)
    carol.do("sit", 4, ready="1")
    assert (carol.status, carol.phase, carol.seat()["ready"], carol.seat()["playing"]) == (200, phase, True, False)
    if phase == "betting":
        bet_all(visitors)
    play_out(visitors)
    for visitor in (*visitors, carol):
        visitor.now("ready")
    assert carol.see()["phase"] == "betting"
    assert carol.seat()["playing"]
    assert findings(app) == []


def test_a_seat_that_is_taken_makes_nobody_ready(app: Flask) -> None:
    alice, bob = invited(app)
    bob.do("sit", 0, ready="1", name="Bob")
    assert bob.status == 422
    assert alice.see()["phase"] == "waiting"
    assert [seat["seat"] for seat in alice.table["seats"]] == [0]


def test_sitting_down_twice_by_the_same_request_begins_one_round(app: Flask) -> None:
    _, bob = invited(app)
    version = bob.version
    for _ in range(2):
        bob.do("sit", 1, version=version, ready="1")
    assert bob.status == 409
    assert (bob.table["round"], bob.phase, len(bob.table["seats"])) == (1, "betting", 2)
    assert findings(app) == []


def test_with_the_bot_the_first_thing_asked_is_a_bet(app: Flask, clock: Clock) -> None:
    for _ in range(6):  # the first banker is not random
        (alice,) = people(app, 1)
        alice.open(bot=1, name="Alice")
        assert (alice.phase, alice.seat()["name"]) == ("betting", "Alice")
        assert "bet" in alice.table["actions"]
        assert alice.seat(alice.table["banker"])["bot"]
        assert alice.table["commitment"], "it stands there before the cut, which comes with the bet"
    alice.do("bet", 20, cut="alices")
    assert alice.status == 200
    while "stand" in alice.see()["actions"]:
        alice.do("stand")
    for _ in range(10):
        clock.move(2)
        if alice.see()["phase"] == "settled":
            break
    assert finished(alice)["proof"]["cuts"] == ["alices", "-"]
    assert findings(app) == []


def test_after_the_bot_the_player_banks(app: Flask, clock: Clock) -> None:
    (alice,) = people(app, 1)
    alice.open(bot=1)
    alice.do("bet", 20)
    for _ in range(20):
        if "stand" in alice.see()["actions"]:
            alice.do("stand")
        if alice.phase == "settled":
            break
        clock.move(2)
    alice.do("ready")
    assert alice.table["banker"] == alice.you
