"""The value of the double-up: chances against the open card, and doubling under the limits of a table, exactly."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from webapp.engine.cards import RANKS, Rank
from webapp.engine.draw_poker.double_up import DoubleUp, DoubleUpOutcome

_OTHERS: Final = 51


@lru_cache
def chances(rules: DoubleUp, open_rank: Rank) -> Mapping[DoubleUpOutcome, Fraction]:
    """Return the chance of each outcome of a pick against an open card; the hidden cards are all alike."""
    win = 4 * (Rank.ACE - open_rank)
    ties_win = rules.tie == "win"
    return {
        DoubleUpOutcome.WIN: Fraction(win + 3 * ties_win, _OTHERS),
        DoubleUpOutcome.TIE: Fraction(3 * (not ties_win), _OTHERS),
        DoubleUpOutcome.LOSE: Fraction(48 - win, _OTHERS),
    }


def ask_value(rules: DoubleUp, score: int, wins: int = 0, rounds: int = 0) -> Fraction:
    """Return what a score is worth at the question *collect or double?* after a number of wins and rounds."""
    return max(Fraction(score), double_value(rules, score, wins, rounds))


def double_value(rules: DoubleUp, score: int, wins: int, rounds: int) -> Fraction:
    """Return what it is worth to double: the average over all open cards."""
    return _round_value(rules, *_unseen_chances(rules), score, wins, rounds)


def pick_value(rules: DoubleUp, open_rank: Rank, score: int, wins: int, rounds: int) -> Fraction:
    """Return what a pick against an open card is worth. ``wins`` and ``rounds`` are those before this round."""
    chance = chances(rules, open_rank)
    return _round_value(rules, chance[DoubleUpOutcome.WIN], chance[DoubleUpOutcome.TIE], score, wins, rounds)


@lru_cache
def _unseen_chances(rules: DoubleUp) -> tuple[Fraction, Fraction]:
    """Return the chances to win and to tie before the open card is seen."""
    by_rank = [chances(rules, rank) for rank in RANKS]
    win, tie = (
        sum((chance[outcome] for chance in by_rank), Fraction(0)) / len(RANKS)
        for outcome in (DoubleUpOutcome.WIN, DoubleUpOutcome.TIE)
    )
    return win, tie


@lru_cache(maxsize=16384)
def _round_value(rules: DoubleUp, win: Fraction, tie: Fraction, score: int, wins: int, rounds: int) -> Fraction:
    """Return what a round is worth that is won and tied with these chances."""
    won, last = rules.after(DoubleUpOutcome.WIN, score), rounds + 1 >= rules.max_rounds
    if last or wins + 1 >= rules.max_wins or won >= rules.max_score:
        value = win * won
    else:
        value = win * ask_value(rules, won, wins + 1, rounds + 1)
    if not tie:
        return value
    return value + tie * (score if last else double_value(rules, score, wins, rounds + 1))


def final_value(rules: DoubleUp | None, score: int) -> Fraction:
    """Return what a final hand with a score is worth at a table with or without a double-up."""
    if rules is None or not 0 < score < rules.max_score:
        return Fraction(score)
    return ask_value(rules, score)
