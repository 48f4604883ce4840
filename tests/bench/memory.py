"""Resident memory of the server: at rest, and while hands of all games are played, looked at and reviewed.

It must not grow with the number of hands. Growth is the slope of a straight line fitted to the figures from 10,000 to
20,000 hands; their distance from that line tells how much of it is noise.
"""

import re
import statistics
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.bench.goals import Goal
from tests.bench.processes import MB, Running, tefuda
from tests.bench.server import COURSES, Evening
from tests.bench.storm import ask, storm
from tests.bench.table import Row, show

WARM: Final = 10_000
"""Hands after which the site has all that it keeps."""
HANDS: Final = 2 * WARM
VISITORS: Final = 250
THREADS: Final = 12
"""Clients at once."""
NOTES: Final = 1_000
"""Hands from one figure to the next."""
LOOKS: Final = 2_000
"""Hands after which visitors of each game look at their pages again."""
ASKED: Final = 10
"""Players of each evening who ask the coach afterwards, so that the tables of odds are in use."""
HAS_PLAYED: Final = f"after {WARM:,} hands"
GROWTH: Final = f"from {WARM:,} to {HANDS:,} hands"
GOALS: Final = (
    Goal(f"web process {HAS_PLAYED}", "MB", HAS_PLAYED, "web process", 150),
    Goal(f"web process {GROWTH}: growth", "MB", GROWTH, "growth MB", 5),
)


def measure(hands: int = HANDS) -> list[Row]:
    rows: list[Row] = []
    with tefuda(MALLOC_ARENA_MAX="1") as room:  # as the container and the service are told to
        evenings, played = [Evening(room, VISITORS, course, THREADS) for course in COURSES], 0
        rows.append(_note(room, played))
        while played < hands:
            evening = evenings[played // VISITORS % len(evenings)]
            evening.play(looking=played % LOOKS < len(evenings) * VISITORS)
            _ask_about(room, evening)
            played += VISITORS
            if played == len(evenings) * VISITORS or played % NOTES == 0 or played >= hands:
                rows.append(_note(room, played))
    show("Resident memory in MB", rows)
    if hands >= HANDS:
        grown = growth([(int(row["hands"]), float(row["web process"])) for row in rows if int(row["hands"]) >= WARM])
        show("Growth of the web process", [grown])
        rows.append(grown)
    return rows


def growth(figures: Sequence[tuple[int, float]]) -> Row:
    """Return the rise of a straight line fitted to the figures, and twice its standard error.

    Args:
        figures: Number of hands, and resident memory in MB after them.
    """
    played, sizes = [float(hands) for hands, _ in figures], [size for _, size in figures]
    line, span = statistics.linear_regression(played, sizes), played[-1] - played[0]
    missed = sum((size - line.slope * hands - line.intercept) ** 2 for hands, size in figures)
    middle = statistics.mean(played)
    error = (missed / (len(figures) - 2) / sum((hands - middle) ** 2 for hands in played)) ** 0.5
    return {
        "web process": GROWTH,
        "growth MB": line.slope * span,
        "give or take MB": 2 * error * span,
        "least MB": min(sizes),
        "most MB": max(sizes),
    }


def _ask_about(room: Running, evening: Evening) -> None:
    """Request the odds of decisions.

    A hand without decisions, or odds that are still being computed, count as answered.
    """
    asked = [ask(f"{hand.place}/{hand.hand}/1/verdict", cookies=hand.cookies) for hand in evening.visitors[:ASKED]]
    asked += [ask(f"/odds/{evening.course.game}", cookies=evening.visitors[0].cookies, fragment=False)]
    _, answers = storm(room.url, asked, clients=2)
    assert all(answer.status < 500 for answer in answers), [answer.status for answer in answers]


def _note(room: Running, played: int) -> Row:
    server, *others = room.memory
    sizes = dict(re.findall(r"^(\w+): +(\d+) kB$", Path(f"/proc/{room.pid}/smaps_rollup").read_text(), re.MULTILINE))
    mapped = int(sizes["Rss"]) - int(sizes["Anonymous"])
    row: Row = {
        "memory": f"after {played:,} hands",
        "hands": played,
        "web process": server,
        "of it its own": int(sizes["Anonymous"]) / 1024,
        "of it files": mapped / 1024,
        "odds tables mapped, all processes": _odds_tables(room),
        "other processes": len(others),
        "the largest": max(others, default=0),
    }
    print(*(f"{name}: {figure}" for name, figure in row.items()), sep=", ", flush=True)
    return row


def _odds_tables(room: Running) -> float:
    """Return the MB of odds tables that the site's processes have mapped; the odds desk is a process of its own."""
    total = 0
    for pid in room.pids:
        with suppress(OSError):  # it has ended meanwhile
            for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
                if line.endswith(".npy"):
                    first, _, end = line.split()[0].partition("-")
                    total += int(end, 16) - int(first, 16)
    return total / MB
