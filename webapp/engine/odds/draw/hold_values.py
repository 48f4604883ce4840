"""Values of the 32 holds before the last exchange, of stopping, and of the double-up: averages of what is paid.

The stake is not taken off. Values with several exchanges left are in ``several_exchanges``.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Final

from webapp.engine.cards import Card
from webapp.engine.draw_poker.rules import COLLECT, DOUBLE, HOLDS, PICKS, STOP, DrawRules
from webapp.engine.draw_poker.state import DrawPhase, DrawState
from webapp.engine.odds.draw.double_up import chances, double_value, final_value, pick_value
from webapp.engine.odds.draw.final_hands.lines import line_number
from webapp.engine.odds.draw.final_hands.tables import LineTables
from webapp.engine.odds.draw.hold_counts import draws, hold_counts
from webapp.engine.odds.value import ActionValue

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


def final_options(
    tables: LineTables, values: Sequence[Fraction], hand: Sequence[Card], thrown: Sequence[Card]
) -> Iterator[ActionValue]:
    """Yield all holds of a last exchange, exactly. ``thrown``: the cards of earlier exchanges."""
    codes = [NO_LINE, *(line.code for line in tables.pay_table.lines)]
    unit = lcm(*(value.denominator for value in values))
    units = [int(value * unit) for value in values]
    counts = hold_counts(tables, hand, thrown).tolist()
    number_of_draws = draws(tables.deck, len(thrown))
    for action, mask in zip(HOLDS, MASKS, strict=True):
        row, drawn = counts[mask], number_of_draws[mask]
        value = Fraction(sum(count * worth for count, worth in zip(row, units, strict=True)), drawn * unit)
        outcomes = {code: count / drawn for code, count in zip(codes, row, strict=True) if count}
        yield ActionValue(action, value, outcomes)


def stop_option(rules: DrawRules, values: Sequence[Fraction], hand: tuple[Card, ...]) -> Iterable[ActionValue]:
    """Return the option to take the hand as it stands, where the rules have it."""
    if not rules.may_stop:
        return ()
    line = line_number(rules.pay_table)(hand)
    code = rules.pay_table.lines[line - 1].code if line else NO_LINE
    return (ActionValue(STOP, values[line], {code: 1.0}),)


def double_up_options(state: DrawState) -> Iterator[ActionValue]:
    """Yield the options of the double-up: to double or collect, or the four cards to pick from, all alike."""
    rules, score = state.rules.double_up, state.score
    assert rules is not None
    if state.phase is DrawPhase.ASK:
        yield ActionValue(DOUBLE, double_value(rules, score, state.wins, len(state.rounds)))
        yield ActionValue(COLLECT, Fraction(score))
        return
    open_rank = state.rounds[-1].cards[0].rank
    value = pick_value(rules, open_rank, score, state.wins, len(state.rounds) - 1)
    outcomes = {
        f"DOUBLE_{outcome.name}": float(chance) for outcome, chance in chances(rules, open_rank).items() if chance
    }
    for action in PICKS:
        yield ActionValue(action, value, outcomes)
