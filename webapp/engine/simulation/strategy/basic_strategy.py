"""Basic strategy, computed for the rules in force: the action with the highest expected value, by total and upcard.

Hands of the same total (10-2 and 7-5, say) are weighted by how often they are dealt, which gives the usual chart by
totals. With one, two or eight decks a few decisions whose values are almost equal may differ from those of a book that
counts every card.
"""

from functools import lru_cache
from typing import Any, Final

import numpy as np

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.simulation.strategy.basic_values import CODES_OF_DEALS, DEALS, Array, Values, with_card
from webapp.engine.simulation.strategy.chart import (
    HARD,
    NO_SPLIT,
    PAIRS,
    SOFT,
    UPCARDS,
    Row,
    Strategy,
    code_of,
)

_WITHOUT_INFLUENCE: Final = frozenset({"penetration", "blackjack_pays", "insurance", "deal"})
"""Rules that no decision of the chart depends on."""


def basic_strategy(rules: BlackjackRules) -> Strategy:
    """Return the strategy with the highest expected value for these rules.

    Computing one takes a tenth of a second or so; the latest 256 are kept.
    """
    return _computed(_relevant(rules))


def _relevant(rules: BlackjackRules) -> BlackjackRules:
    """Return the rules with the default in place of everything that makes no difference to the strategy."""
    names = {*rules.in_force} - _WITHOUT_INFLUENCE
    fields: dict[str, Any] = {name: getattr(rules, name) for name in names}
    if fields["split_by"] == "rank":
        fields["split_by"] = "value"  # the chart has one line for all tens
    return BlackjackRules(naturals=rules.naturals, **fields)


@lru_cache(maxsize=256)
def _computed(rules: BlackjackRules) -> Strategy:
    return compute_strategy(rules)


def compute_strategy(rules: BlackjackRules) -> Strategy:
    """Compute what ``basic_strategy`` returns, without looking it up."""
    values = Values(rules)
    rows = {hand: _row_of_total(values, code_of(hand)) for hand in (*HARD, *SOFT)}
    rows |= {hand: _row_of_pair(values, hand) for hand in PAIRS}
    return Strategy.of("basic", rows)


def _deals_of(code: int, up: int) -> Array:
    """Return the deals with this code, bool[d]; pairs count only where no other two cards have the code."""
    a, b, ups = DEALS.T
    deals = (code == CODES_OF_DEALS) & (ups == up)
    unpaired = deals & (a != b)
    return unpaired if unpaired.any() else deals


def _value_of(letter: str) -> int:
    return {"T": 9, "A": 0}.get(letter, ord(letter) - ord("1"))


def _row_of_total(values: Values, code: int) -> Row:
    if code == 21:
        return ("S",) * len(UPCARDS)
    return tuple(_word_of_total(values, code, _deals_of(code, _value_of(up))) for up in UPCARDS)


def _word_of_total(values: Values, code: int, deals: Array) -> str:
    weight = values.weight[deals]

    def mean(value: Array) -> float:
        return float((value[deals] * weight).sum() / weight.sum())

    stand, hit = mean(values.stand[code]), mean(values.hit[code])
    plain, best = ("S", stand) if stand >= hit else ("H", hit)
    word = plain
    if values.may_double(code) and (double := mean(values.double[code])) > best:
        word, best = f"D{plain.lower()}", double
    if values.rules.surrender == "late" and best < -0.5:
        word = f"R{plain.lower()}"
    return word


def _row_of_pair(values: Values, hand: str) -> Row:
    value = _value_of(hand[0])
    if values.rules.split_by == "none":
        return (NO_SPLIT,) * len(UPCARDS)
    split = values.split(value)
    return tuple(_word_of_pair(values, value, split, _value_of(up)) for up in UPCARDS)


def _word_of_pair(values: Values, value: int, split: Array, up: int) -> str:
    code = with_card(with_card(0, value), value)
    a, b, ups = DEALS.T
    (deal,) = np.flatnonzero((a == value) & (b == value) & (ups == up))
    others = [values.stand[code][deal], values.hit[code][deal]]
    if values.may_double(code):
        others.append(values.double[code][deal])
    if split[deal] <= max(others):
        return NO_SPLIT
    surrenders = values.rules.surrender == "late" and split[deal] < -0.5
    return "Rp" if surrenders else "P"
