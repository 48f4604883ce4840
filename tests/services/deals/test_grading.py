"""Laws over all games: a decision that is asked again is graded as the review grades it, and shows what was seen."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.contracts.playing import Playout, cards_in, finished
from tests.support import table21_rounds
from tests.support.moves import TABLES
from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import parse_cards
from webapp.engine.game import AnyGame, states
from webapp.engine.games import COMPANY, GAMES
from webapp.engine.notation import dumps, record
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import review
from webapp.engine.odds.value import MemoryStore
from webapp.services.deals.puzzles import Puzzle, Verdict, puzzle_at, verdict_on
from webapp.services.odds import desk
from webapp.services.odds.answers import answer

STORE = MemoryStore()
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
some_hands = settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def _desk_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the odds desk answer without workers."""
    monkeypatch.setattr(desk, "ask", lambda about, asked, *_: answer({"about": about, **asked}, STORE))


def asked_again(playout: Playout, step: int) -> Puzzle:
    """Return the decision of a finished hand as a puzzle."""
    line = dumps(record(playout.game, playout.setup, playout.moves))
    return puzzle_at(playout.game, playout.setup.variant, playout.states[step], line, step)


def require_the_same(decision: dict[str, Any], puzzle: Puzzle, verdict: Verdict, stake: int | None) -> None:
    """Require that an answer is graded like the same choice in the review. ``stake``: chips, if that is known."""
    assert verdict.grade == decision["grade"]
    verbs = {(option["action"].partition("@")[0]) for option in decision["options"]}
    assert {str(action) for action in puzzle.actions} == verbs == {str(option.action) for option in verdict.options}
    if stake:
        assert verdict.share == pytest.approx(decision["cost"] / stake, abs=1e-7)


@every_game
@some_hands
@given(data=st.data())
def test_a_decision_that_is_asked_again_is_graded_as_in_its_review(game: AnyGame, data: st.DataObject) -> None:
    playout = data.draw(finished(game, TABLES.get(game.spec.code, game.spec.default)))
    reviewed = review(game, odds_of(game), playout.setup, playout.moves, STORE)
    for decision in reviewed["decisions"]:
        puzzle = asked_again(playout, decision["step"])
        chosen = next(each for each in puzzle.actions if str(each) == decision["action"].partition("@")[0])
        assert chosen.seat == ALONE
        require_the_same(decision, puzzle, verdict_on(puzzle, chosen), None)


@every_game
@some_hands
@given(data=st.data())
def test_a_decision_that_is_asked_again_shows_no_card_that_nobody_had_seen(game: AnyGame, data: st.DataObject) -> None:
    playout = data.draw(finished(game, TABLES.get(game.spec.code, game.spec.default)))
    for step in range(len(playout.moves)):
        shown = cards_in(asked_again(playout, step).view)
        seen = cards_in([game.view(state, None) for state in playout.states[: step + 1]])
        assert shown.keys() <= seen.keys()


@pytest.mark.parametrize("seed", range(6))
def test_a_choice_in_a_round_costs_a_share_of_the_bet_and_the_banks_of_all_bets_against_it(seed: int) -> None:
    chance = Random(seed)
    bets = tuple(chance.choice((10, 25, 60)) for _ in range(chance.randint(1, 4)))
    setup = table21_rounds.setup_of(bets, chance.randint(0, len(bets)), (table21_rounds.any_deck(chance),))
    visited, moves = [COMPANY.start(setup)], list[Action]()
    while legal := COMPANY.legal_actions(visited[-1]):
        moves.append(chance.choice(legal))
        visited.append(COMPANY.apply(visited[-1], moves[-1]))
    require_all_alike(Playout(COMPANY, setup, tuple(moves), tuple(visited)))


def test_the_bank_is_asked_about_a_soft_17_against_the_hands_that_lie_open() -> None:
    """Against a lone 18 it loses by standing."""
    setup = table21_rounds.setup_of((10,), 0, (parse_cards("Th Ah 8h 6c 5d Ts 9d"),))
    moves = (Action(Seat(1), "stand"), Action(Seat(0), "stand"))
    playout = Playout(COMPANY, setup, moves, tuple(states(COMPANY, setup, moves)))
    assert playout.states[1].is_bankers_turn
    assert None in asked_again(playout, 0).view.seats[0].hands[0].cards, "its second card is not turned yet"
    puzzle = asked_again(playout, 1)
    verdict = verdict_on(puzzle, next(action for action in puzzle.actions if action.verb == "stand"))
    assert (verdict.best.action.verb, verdict.unit, verdict.measure) == ("hit", "chips", 10)
    assert verdict.grade == "blunder"
    require_all_alike(playout)


def require_all_alike(playout: Playout) -> None:
    reviewed = review(playout.game, odds_of(playout.game), playout.setup, playout.moves, STORE)
    stakes, bank = playout.setup.stakes, playout.setup.banker
    for decision in reviewed["decisions"]:
        puzzle, seat = asked_again(playout, decision["step"]), decision["seat"]
        chosen = next(each for each in puzzle.actions if each.verb == decision["action"].partition("@")[0])
        stake = sum(stakes) - stakes[seat] if seat == bank else stakes[seat]
        require_the_same(decision, puzzle, verdict_on(puzzle, chosen), stake)
