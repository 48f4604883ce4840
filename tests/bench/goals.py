"""Goals: what a figure of the bench should be at most, and whether it is.

A part names its goals beside what it measures. A goal is judged by a row that the part has made, so that a table of
verdicts can be made again from what is kept of a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.table import Row

MET: Final = "met"
MISSED: Final = "missed"
NO_GOAL: Final = "no goal"
NOTHING: Final = "-"


@dataclass(frozen=True)
class Goal:
    """A figure, and what it should be at most.

    ``row`` and ``column``: where the figure stands; a row is known by its first cell. ``at_most``: None for what is
    only to be seen beside the others. ``before``: the figure of the site whose pages fetched every view, on a machine
    like this one. ``beside``: the row of this run in which pages do so.
    """

    name: str
    unit: str
    row: str
    column: str
    at_most: float | None
    before: str = NOTHING
    beside: str = ""


def judged(goals: Sequence[Goal], rows: Sequence[Row]) -> list[Row]:
    """Return a row for each goal that was measured, with its verdict."""
    known = {str(next(iter(row.values()))): row for row in rows}
    found: list[Row] = []
    for goal in goals:
        figure = known.get(goal.row, {}).get(goal.column)
        if not isinstance(figure, (int, float)):
            continue
        found.append(
            {
                "goal": goal.name,
                "unit": goal.unit,
                "figure": figure,
                "at most": NOTHING if goal.at_most is None else goal.at_most,
                "fetched, this run": known.get(goal.beside, {}).get(goal.column, NOTHING),
                "before": goal.before,
                "verdict": _verdict(goal, figure),
            }
        )
    return found


def missed(verdicts: Sequence[Row]) -> list[str]:
    """Return the names of the goals that were missed."""
    return [str(row["goal"]) for row in verdicts if row["verdict"] == MISSED]


def goals_of(parts: Mapping[str, Sequence[Goal]], figures: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Return the verdicts of all parts that were measured, in the order of the parts."""
    return [row for part, goals in parts.items() for row in judged(goals, figures.get(part, ()))]


def _verdict(goal: Goal, figure: float) -> str:
    if goal.at_most is None:
        return NO_GOAL
    return MET if figure <= goal.at_most else MISSED
