"""The double-up against a plain recursion, and its effect on the return of a table."""

from fractions import Fraction

import pytest

from webapp.engine.cards import RANKS, STANDARD_DECK, Rank
from webapp.engine.draw_poker.double_up import DoubleUp, DoubleUpOutcome
from webapp.engine.odds.draw.hold_values import ask_value, chances, double_value, final_value, pick_value

PUSH, WIN = DoubleUp(), DoubleUp(tie="win")


@pytest.mark.parametrize("rules", [PUSH, WIN], ids=["push", "win"])
def test_chances_are_those_of_all_other_cards(rules: DoubleUp) -> None:
    for open_card in STANDARD_DECK:
        outcomes = [rules.outcome(open_card, card) for card in STANDARD_DECK if card != open_card]
        expected = {outcome: Fraction(outcomes.count(outcome), 51) for outcome in DoubleUpOutcome}
        assert chances(rules, open_card.rank) == expected


@pytest.mark.parametrize("score", [1, 50, 333, 10_000, 499_999])
def test_with_pushes_doubling_is_a_fair_bet_at_every_step(score: int) -> None:
    for wins in range(10):
        assert double_value(PUSH, score, wins, wins) == ask_value(PUSH, score, wins, wins) == score


def test_a_score_that_cannot_be_doubled_in_full_is_collected() -> None:
    assert double_value(PUSH, 600_000, 0, 0) < 600_000 == ask_value(PUSH, 600_000)


def test_when_ties_win_a_round_is_worth_eighteen_seventeenths() -> None:
    assert double_value(WIN, 50, 9, 9) == 50 * Fraction(18, 17)
    assert ask_value(WIN, 50) == 50 * Fraction(18, 17) ** 10
    assert final_value(WIN, 1) == Fraction(18, 17) ** 10


def test_the_limits_of_a_table_bound_what_doubling_is_worth() -> None:
    assert ask_value(DoubleUp(tie="win", max_wins=2), 100) == 100 * Fraction(18, 17) ** 2
    assert ask_value(DoubleUp(tie="win", max_rounds=3), 100) == 100 * Fraction(18, 17) ** 3
    assert ask_value(DoubleUp(tie="win", max_score=200), 100) == 100 * Fraction(18, 17)


def test_a_hand_that_pays_nothing_or_the_most_is_not_asked() -> None:
    assert [final_value(WIN, 0), final_value(WIN, 999_999), final_value(None, 50)] == [0, 999_999, 50]


def test_against_an_ace_only_a_tie_helps() -> None:
    assert pick_value(PUSH, Rank.ACE, 100, 0, 0) == Fraction(3 * 100, 51)
    assert pick_value(DoubleUp(max_rounds=1), Rank.TWO, 100, 0, 0) == Fraction(48 * 200 + 3 * 100, 51)


def test_picks_average_to_what_doubling_is_worth() -> None:
    assert sum(pick_value(WIN, rank, 50, 0, 0) for rank in RANKS) / 13 == double_value(WIN, 50, 0, 0)
