"""Every verb in every phase, from everybody: it is done or refused, and never fails."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.rows import findings, row
from tests.support.table_players import TablePlayer, bet_all, betting, people, play_out, playing, seated, see_all

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

VERBS = ("sit", "take", "ready", "bet", "cut", "policy", "leave", "bot", "hit", "stand", "double", "split", "x", "")
ARGS = ("", "-1", "x", "999999999", "0", "1", "3", "4", "10", "basic")
"""Those that are probably refused come first."""


def settled(app: Flask) -> list[TablePlayer]:
    guests = betting(app)
    bet_all(guests)
    play_out(guests)
    see_all(guests)
    return guests


PHASES: dict[str, Callable[[Flask], list[TablePlayer]]] = {
    "waiting": seated,
    "betting": betting,
    "playing": playing,
    "settled": settled,
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("phase", [*PHASES, "closed"])
def test_no_command_fails_in_any_phase(app: Flask, clock: Clock, phase: str, verb: str) -> None:
    people_here: list[TablePlayer] = []
    for who in range(3):
        for number, arg in enumerate(ARGS):
            if not people_here or people_here[who].see()["phase"] != phase:
                guests = table_in(app, clock, phase)
                (watcher,) = people(app, 1)
                watcher.come(guests[0].code)
                people_here = [*guests, watcher]
            people_here[who].now(verb, arg, ("", "word", "no cut")[number % 3])
            assert people_here[who].status in (200, 404, 409, 422), f"{arg}: {people_here[who].answer.text}"
    assert findings(app) == []


def table_in(app: Flask, clock: Clock, phase: str) -> list[TablePlayer]:
    if phase != "closed":
        guests = PHASES[phase](app)
    else:
        guests = settled(app)
        for guest in guests:
            guest.now("leave")
        clock.move(31 * 60)
        people(app, 1)[0].open()
    see_all(guests)
    assert guests[0].phase == phase
    return guests


@pytest.mark.parametrize("phase", ["waiting", "settled", "playing"])
def test_there_is_no_bet_but_while_the_bets_are_open(app: Flask, clock: Clock, phase: str) -> None:
    guests = table_in(app, clock, phase)
    for guest in guests:
        guest.now("bet", 10)
        assert (guest.status, guest.answer.json["error"]) == (422, "illegal-bet")


def test_neither_the_bank_nor_who_is_not_in_the_round_places_a_bet(app: Flask, clock: Clock) -> None:
    guests = betting(app, 3)  # it began when two of them were ready
    refused = [guest for guest in guests if "bet" not in guest.table["actions"]]
    assert len(refused) == 2
    for guest in refused:
        guest.now("bet", 10)
        assert (guest.status, guest.answer.json["error"]) == (422, "illegal-bet")


# ------------------------------------------------------------------------------------------------ ready, a moment late


def test_two_who_press_ready_at_once_both_play(app: Flask) -> None:
    """Each on the version before the other did."""
    guests = seated(app, 3)
    see_all(guests)
    for guest in guests:
        guest.do("ready")
        assert guest.status == 200, guest.answer.text
    see_all(guests)
    assert guests[0].phase == "betting"
    assert [guest.seat()["ready"] for guest in guests] == [True, True, True], "the third for the next round"
    assert [guest.seat()["playing"] for guest in guests] == [True, True, False]


def test_ready_that_comes_when_the_round_has_begun_with_its_player_is_no_error(app: Flask) -> None:
    guests = seated(app, 2)
    see_all(guests)
    before = guests[0].version
    for guest in guests:
        guest.now("ready")
    guests[0].do("ready", version=before)
    assert (guests[0].status, guests[0].phase) == (200, "betting")
    assert findings(app) == []


def test_ready_from_before_a_round_ended_neither_cuts_nor_shortens_the_pause(app: Flask) -> None:
    guests = playing(app, 2)
    before = guests[0].version
    play_out(guests)
    assert guests[1].see()["phase"] == "settled"
    guests[1].do("ready")
    guests[0].do("ready", cut="guessed", version=before)
    assert (guests[0].status, guests[0].phase) == (200, "settled"), "the pause is not over"
    assert row(app, "SELECT count(*) FROM table_seat WHERE cut IS NOT NULL") == (0,)
    guests[0].do("ready")
    assert guests[0].phase == "betting"


def test_a_copy_of_ready_from_long_ago_is_stale(app: Flask) -> None:
    guests = seated(app, 2)
    before = guests[0].see()["version"]
    for number in range(11):
        guests[1].now("policy", "dealer" if number % 2 else "timid")
        guests[1].now("policy", "basic")
    guests[0].do("ready", version=before)
    assert (guests[0].status, guests[0].answer.json["error"]) == (409, "stale")
