"""Estimates of a simulated decision beside its exact values, as rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from webapp.engine.action import Action

NORMAL95: Final = 1.96
"""Standard errors on either side of an estimate between which the value lies with 95 %."""


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One action. ``half`` is half of the 95 % interval, ``apart`` how many standard errors lie between the two.

    ``at``, ``low`` and ``high`` are where the exact value and the interval lie, in hundredths of all rows.
    """

    action: Action
    value: float
    mean: float
    error: float
    half: float
    apart: float | None
    at: float
    low: float
    high: float
    is_best: bool
    is_held: bool


def estimate_rows(answer: Mapping[str, Any]) -> tuple[EstimateRow, ...]:
    """Return the actions that were simulated, best first."""
    simulated = answer["simulated"]
    options = [option for option in answer["options"] if option["action"] in simulated]
    ends = [option["value"] for option in options]
    for mean, error in simulated.values():
        ends += [mean - NORMAL95 * error, mean + NORMAL95 * error]
    low = float(min(ends))
    breadth = float(max(ends)) - low or 1.0

    def place(value: float) -> float:
        return 100 * (value - low) / breadth

    return tuple(
        EstimateRow(
            action=Action.parse(option["action"]),
            value=option["value"],
            mean=mean,
            error=error,
            half=NORMAL95 * error,
            apart=abs(mean - option["value"]) / error if error > 0 else None,
            at=place(option["value"]),
            low=place(mean - NORMAL95 * error),
            high=place(mean + NORMAL95 * error),
            is_best=option["value"] == options[0]["value"],
            is_held=option["action"] == answer.get("action"),
        )
        for option in options
        for mean, error in [simulated[option["action"]]]
    )
