"""Strategies by name, for the rules in force."""

from collections.abc import Callable
from typing import Final

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.simulation.strategy_chart import HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, Row, Strategy

BEST: Final = "basic"
"""The strategy that is computed for the rules in force, for which NumPy is needed."""
NAMES: Final = (BEST, "mimic", "never-bust")
STANDS: Final = {f"stand-{total}": total for total in range(4, 22)}
"""Totals by the name of the strategy that stands on them and does nothing else."""


def require_name(name: str) -> None:
    """Check that there is a strategy of this name.

    Raises:
        SetupError: there is none.
    """
    if name not in NAMES and name not in STANDS:
        raise SetupError(f"no such strategy: {name[:80]!r}; there are {', '.join(NAMES)} and stand-4 to stand-21")


def strategy_by_name(name: str, rules: BlackjackRules) -> Strategy:
    """Return the strategy ``mimic``, ``never-bust``, ``stand-N`` (4 to 21) or ``basic`` for these rules.

    Raises:
        SetupError: there is no strategy of this name.
    """
    require_name(name)
    if name == BEST:
        from webapp.engine.simulation.basic_strategy import basic_strategy  # imports NumPy

        return basic_strategy(rules)
    if name == "mimic":  # the dealer's own rule
        return strategy_by_total(
            name,
            lambda total: not rules.dealer_draws(total, soft=False),
            lambda total: not rules.dealer_draws(total, soft=True),
        )
    if name == "never-bust":
        return strategy_by_total(name, lambda total: total >= 12, lambda total: total >= 18)
    lowest = STANDS[name]
    return strategy_by_total(name, lambda total: total >= lowest, lambda total: total >= lowest)


def strategy_by_total(
    name: str, stands_on_hard: Callable[[int], bool], stands_on_soft: Callable[[int], bool]
) -> Strategy:
    """Return a strategy that never doubles or splits and stands on the totals for which these return True."""
    rows = {hand: _row(stands_on_hard(int(hand))) for hand in HARD}
    rows |= {hand: _row(stands_on_soft(11 + int(hand[1]))) for hand in SOFT}
    rows |= {hand: (NO_SPLIT,) * len(UPCARDS) for hand in PAIRS}
    return Strategy.of(name, rows)


def _row(stands: bool) -> Row:
    return ("S" if stands else "H",) * len(UPCARDS)
