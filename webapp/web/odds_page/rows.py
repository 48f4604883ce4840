"""Answers of the odds desk as rows of a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from webapp.engine.action import Action
from webapp.web.odds_page.reason import ReasonView, reason_of

MOST_OUTCOMES: Final = 4
"""Outcomes that are named beside an option: those that its value depends on most, or that are likeliest."""
SHOWN: Final = 5
"""Options that are shown of many; the rest can be unfolded."""
HANDS: Final = 100
BET: Final = 10
"""A price is said in chips for so many hands of so many chips."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option. ``start`` and ``width`` are those of its bar, in hundredths; ``zero`` is where nothing is."""

    action: Action
    value: float
    cost: float
    counted: float | None
    outcomes: tuple[tuple[str, float], ...]
    start: float
    width: float
    zero: float
    is_best: bool
    is_held: bool
    reason: ReasonView | None = None


def rows(answer: Mapping[str, Any]) -> tuple[OptionRow, ...]:
    """Return all options, best first."""
    options = answer["options"]
    values = [option["value"] for option in options]
    low, high = min(0.0, *values), max(0.0, *values)
    breadth = (high - low) or 1.0
    return tuple(
        OptionRow(
            action=Action.parse(option["action"]),
            value=option["value"],
            cost=values[0] - option["value"],
            counted=option.get("counted"),
            outcomes=_outcomes(option),
            start=100 * (min(option["value"], 0.0) - low) / breadth,
            width=100 * abs(option["value"]) / breadth,
            zero=100 * -low / breadth,
            is_best=values[0] == option["value"],
            is_held=option["action"] == answer.get("action"),
            reason=reason_of(option, is_best=values[0] == option["value"]),
        )
        for option in options
    )


def _outcomes(option: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    chances = option["outcomes"]
    parts = (option.get("reason") or {}).get("parts", ())
    codes = [code for code, _, _ in parts] or sorted(chances, key=lambda code: -chances[code])
    return tuple((code, chances[code]) for code in codes[:MOST_OUTCOMES])


def shown(options: tuple[OptionRow, ...]) -> tuple[OptionRow, ...]:
    """Return the options that are shown at once: the best few, and the one that was asked about."""
    return tuple(row for place, row in enumerate(options) if place < SHOWN or row.is_held)


def chips_per_hundred(share: float) -> float:
    """Return what a share of every bet comes to in a hundred hands of ten chips."""
    return HANDS * BET * share
