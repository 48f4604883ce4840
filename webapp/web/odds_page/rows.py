"""Answers of the odds desk as rows of a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from webapp.engine.action import Action

MOST_OUTCOMES: Final = 4
"""Outcomes that are named beside an option; the rest are unlikely."""
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
            outcomes=tuple(sorted(option["outcomes"].items(), key=lambda item: -item[1]))[:MOST_OUTCOMES],
            start=100 * (min(option["value"], 0.0) - low) / breadth,
            width=100 * abs(option["value"]) / breadth,
            zero=100 * -low / breadth,
            is_best=values[0] == option["value"],
            is_held=option["action"] == answer.get("action"),
        )
        for option in options
    )


def shown(options: tuple[OptionRow, ...]) -> tuple[OptionRow, ...]:
    """Return the options that are shown at once: the best few, and the one that was asked about."""
    return tuple(row for place, row in enumerate(options) if place < SHOWN or row.is_held)


def chips_per_hundred(share: float) -> float:
    """Return what a share of every bet comes to in a hundred hands of ten chips."""
    return HANDS * BET * share
