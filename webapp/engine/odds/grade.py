"""The quality of a decision in one of five words, by what it cost compared with the best one."""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Final

from webapp.engine.action import Action
from webapp.engine.odds.question import Scale
from webapp.engine.odds.value import Decision, Number
from webapp.engine.words import NP_, Text


class Grade(StrEnum):
    """Quality of a decision, the best first."""

    BEST = "best"
    FINE = "fine"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


NAMES: Final[Mapping[Grade, Text]] = {
    Grade.BEST: NP_("decision", "Best"),
    Grade.FINE: NP_("decision", "Fine"),
    Grade.SLIP: NP_("decision", "Slip"),
    Grade.MISTAKE: NP_("decision", "Mistake"),
    Grade.BLUNDER: NP_("decision", "Blunder"),
}
"""The five words, for players."""

MARKS: Final[Mapping[Grade, str]] = {
    Grade.BEST: "✓",
    Grade.FINE: "≈",
    Grade.SLIP: "?!",
    Grade.MISTAKE: "?",
    Grade.BLUNDER: "??",
}
"""A mark for each, as annotated games of chess have them."""

_BELOW: Final = ((Fraction(5, 1000), Grade.FINE), (Fraction(5, 100), Grade.SLIP), (Fraction(20, 100), Grade.MISTAKE))
"""The share of the measure that a decision of a grade stays under."""

_NOTHING: Final = Fraction(1, 10**9)
"""A share of the measure that floating-point numbers may be off by: it is no cost."""


def grade(cost: Number, measure: Number) -> Grade:
    """Return the grade of a decision with this cost.

    ``measure`` is the stake of the decision; where nothing is staked, the value of the best action.
    """
    if cost <= _NOTHING * abs(Fraction(measure)):
        return Grade.BEST
    return next((name for share, name in _BELOW if cost < share * measure), Grade.BLUNDER)


def grade_of(decision: Decision, action: Action, scale: Scale) -> Grade | None:
    """Return the grade of an action; None if all actions have the same value, or there is only one."""
    if decision.fair or len(decision.options) == 1:
        return None
    return grade(decision.cost(action), scale.stake or decision.best.value)
