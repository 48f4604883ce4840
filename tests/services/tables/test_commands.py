"""Every verb in every phase by everybody: it is carried out or refused, and never fails."""

from collections.abc import Callable
from itertools import product

import pytest
from flask import Flask

from tests.support.clock import Clock, run_timer
from tests.support.rows import findings, row
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    bet_all,
    betting,
    finished,
    people,
    play_out,
    players,
    playing,
    seated,
    see_all,
)

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

VERBS = ("sit", "take", "ready", "bet", "cut", "policy", "leave", "bot", "hit", "stand", "double", "split", "x", "")
ARGS = ("", "-1", "x", "999999999", "0", "1", "3", "4", "10", "basic")
"""Those that are probably refused come first."""


def settled(app: Flask) -> list[TablePlayer]:
    visitors = betting(app)
    bet_all(visitors)
    play_out(visitors)
    see_all(visitors)
    return visitors


PHASES: dict[str, Callable[[Flask], list[TablePlayer]]] = {
    "waiting": seated,
    "betting": betting,
    "playing": playing,
    "settled": settled,
}


@pytest.mark.parametrize("phase", [*PHASES, "closed"])
def test_no_command_fails_in_any_phase(app: Flask, clock: Clock, phase: str) -> None:
    """A table is reused until a command changes its phase or a seat; most commands are refused."""
    people_here: list[TablePlayer] = []
    seats: list[int | None] = []
    for verb, who in product(VERBS, range(3)):
        if [each.you for each in people_here] != seats:
            people_here = []
        is_changed = True
        for number, arg in enumerate(ARGS):
            if is_changed and (not people_here or people_here[who].see()["phase"] != phase):
                visitors = table_in(app, clock, phase)
                (watcher,) = people(app, 1)
                watcher.come(visitors[0].code)
                people_here = [*visitors, watcher]
                seats = [each.you for each in people_here]
            people_here[who].do(verb, arg, ("", "word", "no cut")[number % 3])
            assert people_here[who].status in (200, 404, 409, 422), f"{verb} {arg}: {people_here[who].answer.text}"
            is_changed = people_here[who].status == 200
    assert findings(app) == []


def table_in(app: Flask, clock: Clock, phase: str) -> list[TablePlayer]:
    if phase != "closed":
        visitors = PHASES[phase](app)
    else:
        visitors = settled(app)
        for visitor in visitors:
            visitor.now("leave")
        clock.move(31 * 60)
        run_timer(app, "abandoned tables")
    see_all(visitors)
    assert visitors[0].phase == phase
    return visitors


@pytest.mark.parametrize("phase", ["waiting", "settled", "playing"])
def test_there_is_no_bet_but_while_the_bets_are_open(app: Flask, clock: Clock, phase: str) -> None:
    visitors = table_in(app, clock, phase)
    for visitor in visitors:
        visitor.now("bet", 10)
        assert (visitor.status, visitor.answer.json["error"]) == (422, "illegal-bet")


def test_neither_the_bank_nor_who_is_not_in_the_round_places_a_bet(app: Flask, clock: Clock) -> None:
    visitors = betting(app, 3)  # it began when two of them were ready
    refused = [visitor for visitor in visitors if "bet" not in visitor.table["actions"]]
    assert len(refused) == 2
    for visitor in refused:
        visitor.now("bet", 10)
        assert (visitor.status, visitor.answer.json["error"]) == (422, "illegal-bet")


# ------------------------------------------------------------------------------------------------ ready, a moment late


def test_two_who_press_ready_at_once_both_play(app: Flask) -> None:
    """Both commands name the same version."""
    visitors = seated(app, 3)
    see_all(visitors)
    for visitor in visitors:
        visitor.do("ready")
        assert visitor.status == 200, visitor.answer.text
    see_all(visitors)
    assert visitors[0].phase == "betting"
    assert [visitor.seat()["ready"] for visitor in visitors] == [True, True, True], "the third for the next round"
    assert [visitor.seat()["playing"] for visitor in visitors] == [True, True, False]


def test_the_cut_of_the_banker_counts_as_a_bet_does(app: Flask) -> None:
    """Whoever changes something else all the time cannot keep it out."""
    visitors = betting(app, 3)
    banker, other = banker_of(visitors), players(visitors)[0]
    seen = banker.see()["version"]
    other.now("policy", "dealer")
    banker.do("cut", cut="my-word", version=seen)
    assert banker.status == 200, banker.answer.text
    bet_all(visitors)
    play_out(visitors)
    assert "my-word" in finished(visitors[0])["proof"]["cuts"]


def test_ready_that_comes_when_the_round_has_begun_with_its_player_is_no_error(app: Flask) -> None:
    visitors = seated(app, 2)
    see_all(visitors)
    before = visitors[0].version
    for visitor in visitors:
        visitor.now("ready")
    visitors[0].do("ready", version=before)
    assert (visitors[0].status, visitors[0].phase) == (200, "betting")
    assert findings(app) == []


def test_ready_from_before_a_round_ended_neither_cuts_nor_shortens_the_pause(app: Flask) -> None:
    visitors = playing(app, 2)
    before = visitors[0].version
    play_out(visitors)
    assert visitors[1].see()["phase"] == "settled"
    visitors[1].do("ready")
    visitors[0].do("ready", cut="guessed", version=before)
    assert (visitors[0].status, visitors[0].phase) == (200, "settled"), "the pause is not over"
    assert row(app, "SELECT count(*) FROM table_seat WHERE cut IS NOT NULL") == (0,)
    visitors[0].do("ready")
    assert visitors[0].phase == "betting"


def test_a_copy_of_ready_from_long_ago_is_stale(app: Flask) -> None:
    visitors = seated(app, 2)
    before = visitors[0].see()["version"]
    for number in range(11):
        visitors[1].now("policy", "dealer" if number % 2 else "timid")
        visitors[1].now("policy", "basic")
    visitors[0].do("ready", version=before)
    assert (visitors[0].status, visitors[0].answer.json["error"]) == (409, "stale")
