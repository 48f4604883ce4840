"""Net values of the 32 holds before the last exchange, of stopping, and of the double-up: averages less the stake.

Values with several exchanges left are in ``several_exchanges``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from operator import mul
from typing import Final

from webapp.engine.cards import RANKS, Card, Rank
from webapp.engine.draw_poker.double_up import DoubleUp, DoubleUpOutcome
from webapp.engine.draw_poker.rules import COLLECT, DOUBLE, HOLDS, PICKS, STOP, DrawRules
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.odds.draw.final_hands import LineTables, line_number
from webapp.engine.odds.draw.hold_counts import draws, hold_counts, hold_sums
from webapp.engine.odds.value import ActionValue

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


NO_LINE: Final = "NOTHING"
"""Code of a hand that is on no line, among outcomes."""

MASKS: Final = tuple(sum(1 << position - 1 for position in action.args) for action in HOLDS)
"""The mask of each hold."""


def line_values(rules: DrawRules, stake: int) -> tuple[Fraction, ...]:
    """Return what a final hand is worth on no line and on each, with the double-up where there is one."""
    pays = (0, *(line.pays for line in rules.pay_table.lines))
    return tuple(final_value(rules.double_up, stake * score) for score in pays)


def chip_values(rules: DrawRules, stake: int) -> tuple[Fraction, ...]:
    """Return the values of the lines for each chip staked: nearly always the same ones whatever the stake."""
    return tuple(value / stake for value in line_values(rules, stake))


class _Lines:
    """The lines that the holds of a hand lead to, counted when a chance is first needed."""

    def __init__(self, tables: LineTables, hand: Sequence[Card], thrown: Sequence[Card]) -> None:
        self._asked = tables, hand, thrown

    @cached_property
    def counts(self) -> list[list[int]]:
        """How many hands of each line each hold leads to."""
        rows: list[list[int]] = hold_counts(*self._asked).tolist()
        return rows


class _Chances(Mapping[str, float]):
    """The chance of each line after a hold, by code; 33 of them are made for a decision, and few are looked at."""

    def __init__(self, lines: _Lines, codes: Sequence[str], mask: int, drawn: int) -> None:
        self._lines, self._codes, self._mask, self._drawn = lines, codes, mask, drawn

    @cached_property
    def _of_codes(self) -> dict[str, float]:
        row = self._lines.counts[self._mask]
        return {code: count / self._drawn for code, count in zip(self._codes, row, strict=True) if count}

    def __getitem__(self, code: str) -> float:
        return self._of_codes[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of_codes)

    def __len__(self) -> int:
        return len(self._of_codes)

    def __repr__(self) -> str:
        return repr(self._of_codes)


def final_options(
    tables: LineTables, values: Sequence[Fraction], hand: Sequence[Card], thrown: Sequence[Card], staked: int = 0
) -> Iterator[ActionValue]:
    """Yield all holds of a last exchange, exactly, less what is staked. ``thrown``: the cards of earlier exchanges."""
    codes = [NO_LINE, *(line.code for line in tables.pay_table.lines)]
    lines, number_of_draws = _Lines(tables, hand, thrown), draws(tables.deck, len(thrown))
    sums, unit = _sums(tables, values, hand, lines, known=bool(thrown))
    for action, mask in zip(HOLDS, MASKS, strict=True):
        drawn = number_of_draws[mask]
        value = Fraction(sums[mask] - staked * drawn * unit, drawn * unit)
        yield ActionValue(action, value, _Chances(lines, codes, mask, drawn))


def _sums(
    tables: LineTables, values: Sequence[Fraction], hand: Sequence[Card], lines: _Lines, known: bool
) -> tuple[Sequence[int], int]:
    """Return what all hands that each hold leads to are worth together, and in what part of a chip.

    A table without a double-up, or with one that is a fair bet, makes a line worth what it pays: then sums are looked
    up. Otherwise, and where cards of earlier exchanges are known to be out, the hands of each line are counted.
    """
    pays = (0, *(line.pays for line in tables.pay_table.lines))
    stake = values[-1] / pays[-1]
    if not known and all(value == stake * pay for value, pay in zip(values, pays, strict=True)):
        return [stake.numerator * total for total in hold_sums(tables, hand)], stake.denominator
    unit = lcm(*(value.denominator for value in values))
    worth = [int(value * unit) for value in values]
    return [sum(map(mul, row, worth)) for row in lines.counts], unit


def stop_option(
    rules: DrawRules, values: Sequence[Fraction], hand: tuple[Card, ...], staked: int
) -> Iterable[ActionValue]:
    """Return the option to take the hand as it stands, where the rules have it, less what is staked."""
    if not rules.may_stop:
        return ()
    line = line_number(rules.pay_table)(hand)
    code = rules.pay_table.lines[line - 1].code if line else NO_LINE
    return (ActionValue(STOP, values[line] - staked, {code: 1.0}),)


def double_up_options(state: DrawState) -> Iterator[ActionValue]:
    """Yield the options of the double-up: to double or collect, or the four cards to pick from, all alike.

    What was staked is taken off.
    """
    rules, score, staked = state.rules.double_up, state.score, sum(state.setup.stakes)
    assert rules is not None
    if state.phase is DrawPhase.ASK:
        yield ActionValue(DOUBLE, double_value(rules, score, state.wins, len(state.rounds)) - staked)
        yield ActionValue(COLLECT, Fraction(score - staked))
        return
    open_rank = state.rounds[-1].cards[0].rank
    value = pick_value(rules, open_rank, score, state.wins, len(state.rounds) - 1) - staked
    outcomes = {
        f"DOUBLE_{outcome.name}": float(chance) for outcome, chance in chances(rules, open_rank).items() if chance
    }
    for action in PICKS:
        yield ActionValue(action, value, outcomes)
