"""Every verb in every phase, from everybody: it is done or refused, and never fails."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.database.rows import findings
from tests.tables.conftest import Clock
from tests.tables.guests import Guest, bet_all, betting, people, play_out, seated, see_all
from tests.tables.test_clocks import playing

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

VERBS = ("sit", "take", "ready", "bet", "cut", "policy", "leave", "bot", "hit", "stand", "double", "split", "x", "")
ARGS = ("", "-1", "x", "999999999", "0", "1", "3", "4", "10", "basic")
"""Those that are probably refused come first."""


def settled(app: Flask) -> list[Guest]:
    guests = betting(app)
    bet_all(guests)
    play_out(guests)
    see_all(guests)
    return guests


PHASES: dict[str, Callable[[Flask], list[Guest]]] = {
    "waiting": seated,
    "betting": betting,
    "playing": playing,
    "settled": settled,
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("phase", [*PHASES, "closed"])
def test_no_deed_fails_in_any_phase(app: Flask, clock: Clock, phase: str, verb: str) -> None:
    people_here: list[Guest] = []
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


def table_in(app: Flask, clock: Clock, phase: str) -> list[Guest]:
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
