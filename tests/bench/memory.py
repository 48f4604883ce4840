"""Resident memory of the server: at rest, and as hands are played."""

from typing import Final

from tests.bench.processes import tefuda
from tests.bench.server import Evening
from tests.bench.table import Row, show

HANDS: Final = 3_000
VISITORS: Final = 250
GOAL: Final = 120
"""Megabytes a process, and no more of them with the hands."""


def measure(hands: int = HANDS) -> list[Row]:
    rows: list[Row] = []
    with tefuda() as room:
        evening, played = Evening(room, VISITORS), 0

        def note() -> None:
            server, *others = room.memory
            rows.append({"hands played": played, "server MB": server, "others MB": sum(others), "at most": GOAL})

        note()
        while played < hands:
            evening.play(looking=played % 2_000 == 0)
            played += VISITORS
            if played == VISITORS or played % 1_000 == 0 or played >= hands:
                note()
    show("Resident memory", rows)
    return rows
