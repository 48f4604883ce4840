"""The five grades of a decision, by its cost as a share of the stake or of the best value."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.action import Action
from webapp.engine.odds.question import Scale
from webapp.engine.odds.value import MARKS, NAMES, ActionValue, Decision, Grade, Method, grade, grade_of

HIT, STAND = Action.parse("hit"), Action.parse("stand")


def choice(*values: float, fair: bool = False) -> Decision:
    options = (ActionValue(action, value) for action, value in zip((HIT, STAND), values, strict=False))
    return Decision(tuple(options), Method("test", exact=False), fair)


@pytest.mark.parametrize(
    "cost, word",
    [
        (0, "best"),
        (Fraction(1, 100), "fine"),
        (Fraction(499, 1000), "fine"),
        (Fraction(1, 2), "slip"),
        (Fraction(499, 100), "slip"),
        (5, "mistake"),
        (Fraction(1999, 100), "mistake"),
        (20, "blunder"),
        (300, "blunder"),
    ],
)
def test_the_cost_as_a_share_of_the_measure_decides_the_word(cost: Fraction, word: str) -> None:
    assert grade(cost, 100) == word


@given(measure=st.one_of(st.fractions(0, 10**6), st.floats(0, 10**6)))
def test_what_costs_nothing_is_best_whatever_is_staked(measure: float) -> None:
    assert grade(0, measure) is Grade.BEST
    assert grade(Fraction(0), measure) is Grade.BEST
    assert grade(0.0, measure) is Grade.BEST


@given(costs=st.lists(st.fractions(0, 100), min_size=2, max_size=2), stake=st.integers(1, 1000))
def test_what_costs_more_is_never_called_better(costs: list[Fraction], stake: int) -> None:
    order = list(Grade)
    less, more = sorted(costs)
    assert order.index(grade(less, stake)) <= order.index(grade(more, stake))


def test_the_noise_of_floating_point_numbers_is_no_cost() -> None:
    assert grade(0.1 + 0.2 - 0.3, 10) is Grade.BEST


def test_the_least_true_cost_of_a_hold_is_one() -> None:
    assert grade(Fraction(1, 1533939), 1) is Grade.FINE


def test_a_decision_is_measured_by_its_stake_and_else_by_the_best_value() -> None:
    assert grade_of(choice(10, 9), STAND, Scale("chips", stake=100)) == "slip"
    assert grade_of(choice(10, 9), STAND, Scale("score")) == "mistake"
    assert grade_of(choice(10, 9), HIT, Scale("score")) == "best"


def test_a_fair_bet_and_a_forced_action_have_no_grade() -> None:
    assert grade_of(choice(5, 5, fair=True), STAND, Scale("score")) is None
    assert grade_of(choice(5), HIT, Scale("score")) is None


def test_each_word_has_a_name_and_a_mark_of_its_own() -> None:
    assert set(NAMES) == set(MARKS) == set(Grade)
    assert len(set(MARKS.values())) == len(Grade)
