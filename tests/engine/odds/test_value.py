"""The protocol of odds: decisions, stores, and games without odds."""

from dataclasses import replace

import pytest

from webapp.engine.action import Action
from webapp.engine.errors import IllegalAction
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.value import ActionValue, Decision, MemoryStore, Method, NoOdds
from webapp.engine.spec import Spec

STOP, GO = Action.parse("stop"), Action.parse("go")
CHOICE = Decision((ActionValue(GO, 3), ActionValue(STOP, 1)), Method("test", exact=True))


def test_a_decision_knows_its_best_option_and_the_cost_of_the_others() -> None:
    assert CHOICE.best.action == GO
    assert (CHOICE.cost(GO), CHOICE.cost(STOP)) == (0, 2)


def test_an_action_that_is_not_legal_has_no_cost() -> None:
    with pytest.raises(IllegalAction, match="hit is not legal here"):
        CHOICE.cost(Action.parse("hit"))


def game_with(odds: str | None):
    class AnotherGame(type(GAMES["poker"])):
        pass

    game = AnotherGame("another", {}, GAMES["poker"].words)
    game.spec = replace(Spec("another", ("plain",)), odds=odds)
    return game


def test_a_game_without_odds_says_so() -> None:
    with pytest.raises(NoOdds, match="there are no odds for another"):
        odds_of(game_with(None))


def test_odds_that_need_what_is_not_installed_say_what_it_is() -> None:
    with pytest.raises(NoOdds, match="the odds of another need no_such_package"):
        odds_of(game_with("no_such_package.odds:ODDS"))


def test_a_store_builds_tables_once() -> None:
    store = MemoryStore()
    first = store.tables("a", lambda: {"numbers": [1]})
    assert store.tables("a", lambda: {"numbers": [2]}) is first
