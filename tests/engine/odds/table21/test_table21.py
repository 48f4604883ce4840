"""The odds at Table 21, where a player banks."""

from random import Random

import pytest

from tests.support.table21_rounds import TABLE, any_round, play
from webapp.engine.action import Action, Seat
from webapp.engine.game import states
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import ledger
from webapp.engine.odds.value import MemoryStore

ODDS = odds_of(TABLE)
STORE = MemoryStore()
BANK, PLAYER = Seat(0), Seat(1)


def values(state):
    return {option.action.verb: float(option.value) for option in ODDS.decision(state, STORE).options}


def test_a_player_is_priced_against_a_bank_that_draws_to_17() -> None:
    worth = values(play("Th 9s Ts 8d", bets=(10,)))
    assert max(worth, key=worth.__getitem__) == "stand"
    assert worth["double"] < worth["hit"] < 0 < worth["stand"]


def test_the_bank_draws_to_a_soft_17_that_loses() -> None:
    """Against a 20, standing on 17 loses for certain."""
    state = play("Th 6s Ts Ad", "stand@1")
    assert state.is_bankers_turn
    worth = values(state)
    assert worth["stand"] == -10
    assert worth["hit"] > -10


def test_the_bank_stands_on_a_soft_18_that_wins() -> None:
    worth = values(play("Th 7s 7c Ad", "stand@1"))
    assert worth["stand"] == 10
    assert worth["hit"] < 10


def test_the_banks_draw_is_worth_the_average_of_what_comes() -> None:
    whole = 0.0
    for count, card in zip([3, 4, 4, 4, 4, 3, 4, 4, 4, 14], "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc".split(), strict=True):
        drawn = play(f"Th 6s Ts Ad {card}", "stand@1", "hit")
        whole += count / 48 * float(ODDS.value(drawn, BANK, STORE))
    assert values(play("Th 6s Ts Ad", "stand@1"))["hit"] == pytest.approx(whole)


def test_all_that_seats_may_gain_is_nought_at_every_step() -> None:
    chance = Random(21)
    for _ in range(10):
        state = any_round(chance)
        seats = [Seat(seat) for seat in range(len(state.hands))]
        for step in states(TABLE, state.setup, ()):
            assert sum(float(ODDS.value(step, seat, STORE)) for seat in seats) == pytest.approx(0)


@pytest.mark.parametrize(
    "moves", [("stand@1", "hit", "hit", "hit"), ("hit@1", "stand@1", "stand"), ("double@1", "hit", "hit")]
)
def test_the_ledger_of_a_round_is_balanced_for_player_and_bank(moves) -> None:
    state = play("2h 6s Ts Ad 3d 5h Tc 9c 8c", *moves)
    assert state.turn is None
    for seat in (BANK, PLAYER):
        told = ledger(TABLE, ODDS, state.setup, [Action.parse(move) for move in moves], seat, STORE)
        assert told.start + told.luck - told.cost == told.payout
        assert all(step.cost >= 0 for step in told.steps)
