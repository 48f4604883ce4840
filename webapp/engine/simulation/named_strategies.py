"""Strategies by name, for the rules in force."""

from collections.abc import Callable

from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.simulation.strategies import HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, Row, Strategy, least_of


def strategy_by_name(name: str, rules: BlackjackRules) -> Strategy:
    """``mimic``, ``never-bust``, ``stand-N`` (4 to 21) or ``basic``, for the rules in force. SetupError."""
    if name == "mimic":
        # as the dealer plays: draws to 16, at a soft 17 by the rules of the table
        soft = 18 if rules.soft_17 == "hit" else 17
        return strategy_by_total(name, lambda total: total >= 17, lambda total: total >= soft)
    if name == "never-bust":
        return strategy_by_total(name, lambda total: total >= 12, lambda total: total >= 18)
    if name == "basic":
        from webapp.engine.simulation.basic_strategy import basic_strategy  # with it comes NumPy

        return basic_strategy(rules)
    least = least_of(name)
    return strategy_by_total(name, lambda total: total >= least, lambda total: total >= least)


def strategy_by_total(name: str, hard: Callable[[int], bool], soft: Callable[[int], bool]) -> Strategy:
    """Never doubles nor splits; stands on the totals for which these say so."""
    rows = {hand: _row(hard(int(hand))) for hand in HARD}
    rows |= {hand: _row(soft(11 + int(hand[1]))) for hand in SOFT}
    rows |= {hand: (NO_SPLIT,) * len(UPCARDS) for hand in PAIRS}
    return Strategy.of(name, rows)


def _row(stands: bool) -> Row:
    return ("S" if stands else "H",) * len(UPCARDS)
