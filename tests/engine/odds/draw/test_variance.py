"""The variance of several hands from one hold, against enumeration and against simulated hands."""

from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, pvariance

import pytest

from webapp.engine.action import Action
from webapp.engine.cards import STANDARD_DECK, parse_cards
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import review
from webapp.engine.odds.value import MemoryStore

VIDEO = GAMES["video"]
ODDS = odds_of(VIDEO)
BET = 5


def dealt(hand: str, lines: int, table: str = "jacks-9-6"):
    """Return the state after a deal of these cards, each hand with a pack of its own."""
    deal = parse_cards(hand)
    others = tuple(card for card in STANDARD_DECK if card not in deal)
    return VIDEO.start(Setup(table, (BET,) * lines, ((*deal, *others), *(others,) * (lines - 1))))


@pytest.mark.parametrize("lines", [1, 3, 10])
@pytest.mark.parametrize(
    ("table", "hand", "hold"),
    [
        ("jacks-9-6", "Ah Kh Qh Jh 2c", "hold-1-2-3-4"),
        ("jacks-9-6", "9h 9d 2s 5c Kd", "hold-1-2"),
        ("jacks-9-6", "Ah Ad Kc Kd 4s", "hold-1-2-3-4"),
        ("double-double-9-6", "Ah Ad Ac Kd 4s", "hold-1-2-3"),
        ("deuces-full", "2h 9d 9c Kd 4s", "hold-1-2-3"),
        ("jacks-9-6", "Th Jh Qh Kh Ah", "hold-1-2-3-4-5"),
    ],
)
def test_the_variance_is_that_of_all_draws_times_the_number_of_hands(table, hand, hold, lines, store: MemoryStore):
    state, action = dealt(hand, lines, table), Action.parse(hold)
    held = [state.hand[position - 1] for position in action.args]
    rest = [card for card in STANDARD_DECK if card not in state.hand]
    pays = [BET * state.rules.pay_table.pays((*held, *drawn)) for drawn in combinations(rest, 5 - len(held))]
    mean = Fraction(sum(pays), len(pays))
    of_one = Fraction(sum(paid * paid for paid in pays), len(pays)) - mean**2
    assert ODDS.variance(state, action, store) == lines * of_one
    assert ODDS.decision(state, store).option(action).value == lines * (mean - BET)


def test_several_hands_cost_as_much_as_one_hand_times_their_number(store: MemoryStore) -> None:
    for hand in ("Ah Kh Qh Jh 2c", "9h 9d 2s 5c Kd"):
        one, ten = (ODDS.decision(dealt(hand, lines), store) for lines in (1, 10))
        assert [(option.action, 10 * option.value) for option in one.options] == [
            (option.action, option.value) for option in ten.options
        ]


@pytest.mark.slow
def test_a_hundred_thousand_hands_lie_as_far_apart_as_the_variance_says(store: MemoryStore) -> None:
    chance, lines = Random(57), 10
    deal, action = parse_cards("Ah Ad Kc Kd 4s"), Action.parse("hold-1-2-3-4")
    rest = [card for card in STANDARD_DECK if card not in deal]
    sums, each = [], []
    for _ in range(10_000):
        rows = ((*deal, *chance.sample(rest, 1)), *(tuple(chance.sample(STANDARD_DECK, 10)) for _ in range(lines - 1)))
        state = VIDEO.apply(VIDEO.start(Setup("jacks-9-6", (BET,) * lines, rows)), action)
        payouts = VIDEO.result(state).payouts
        sums.append(sum(payouts))
        each += payouts
    exact = ODDS.variance(dealt("Ah Ad Kc Kd 4s", lines), action, store)
    mean = lines * BET + ODDS.decision(dealt("Ah Ad Kc Kd 4s", lines), store).option(action).value
    assert fmean(sums) == pytest.approx(float(mean), abs=4 * sqrt(exact / len(sums)))
    assert pvariance(sums) == pytest.approx(float(exact), rel=0.07)
    assert lines * pvariance(each) == pytest.approx(float(exact), rel=0.03)


def test_the_review_of_several_hands_is_one_decision_with_its_variance(store: MemoryStore) -> None:
    moves = (Action.parse("hold-1-2"),)
    reviews = {}
    for lines in (1, 3):
        setup = dealt("9h 9d 2s 5c Kd", lines).setup
        reviews[lines] = review(VIDEO, ODDS, setup, moves, store)
    one, three = (reviews[lines]["decisions"][0] for lines in (1, 3))
    assert "variance" not in one and "lines" not in one, "reviews of one hand are as they were"
    assert three["value"] == pytest.approx(3 * one["value"])
    assert (three["cost"], three["grade"]) == (3 * one["cost"], one["grade"])
    state = dealt("9h 9d 2s 5c Kd", 3)
    assert (three["lines"], three["variance"]) == (3, float(ODDS.variance(state, moves[0], store)))
    for told in reviews.values():
        assert told["start"] + told["luck"] - told["cost"] == pytest.approx(told["payout"], abs=1e-6)
