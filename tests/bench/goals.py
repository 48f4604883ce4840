"""Goals: upper limits of measured figures, and whether they were met.

Each part of the benchmarks defines its goals beside its measurements. A goal refers to a row of the part's results, so
the table of goals can also be built from stored results.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.table import Row

MET: Final = "met"
MISSED: Final = "missed"


@dataclass(frozen=True)
class Goal:
    """The upper limit of a figure.

    ``row`` and ``column``: where the figure is found; ``row`` is the first cell of its row.
    """

    name: str
    unit: str
    row: str
    column: str
    at_most: float


def judged(goals: Sequence[Goal], rows: Sequence[Row]) -> list[Row]:
    """Return a row with the verdict for each goal whose figure was measured."""
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
                "at most": goal.at_most,
                "verdict": MET if figure <= goal.at_most else MISSED,
            }
        )
    return found


def missed(verdicts: Sequence[Row]) -> list[str]:
    """Return the names of the goals that were missed."""
    return [str(row["goal"]) for row in verdicts if row["verdict"] == MISSED]


def goals_of(parts: Mapping[str, Sequence[Goal]], figures: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Return the verdicts of all parts that were measured, in order."""
    return [row for part, goals in parts.items() for row in judged(goals, figures.get(part, ()))]
