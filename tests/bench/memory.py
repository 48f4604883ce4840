"""Resident memory of the server: at rest, and as hands of all games are played, looked at and asked about."""

import re
from pathlib import Path
from typing import Final

from tests.bench.processes import Running, tefuda
from tests.bench.server import COURSES, Evening
from tests.bench.storm import ask, storm
from tests.bench.table import Row, show

HANDS: Final = 10_000
VISITORS: Final = 250
THREADS: Final = 12
"""Clients at once."""
NOTES: Final = 2_000
"""Hands from one figure to the next."""
ASKED: Final = 10
"""Players of each evening who ask the coach afterwards, so that the tables of odds are in use."""
GOAL: Final = 150
"""Megabytes of the web process, and no more of them with the hands."""


def measure(hands: int = HANDS) -> list[Row]:
    rows: list[Row] = []
    with tefuda() as room:
        evenings, played = [Evening(room, VISITORS, course, THREADS) for course in COURSES], 0
        rows.append(_note(room, played))
        while played < hands:
            evening = evenings[played // VISITORS % len(evenings)]
            evening.play(looking=played % NOTES < len(evenings) * VISITORS)
            _ask_about(room, evening)
            played += VISITORS
            if played == len(evenings) * VISITORS or played % NOTES == 0 or played >= hands:
                rows.append(_note(room, played))
    show("Resident memory in MB", rows)
    return rows


def _ask_about(room: Running, evening: Evening) -> None:
    """Ask what decisions were worth. A hand without one, or a price that is still being worked out, is an answer too."""
    asked = [ask(f"{hand.place}/{hand.hand}/1/verdict", cookies=hand.cookies) for hand in evening.visitors[:ASKED]]
    asked += [ask(f"/odds/{evening.course.game}", cookies=evening.visitors[0].cookies, fragment=False)]
    _, answers = storm(room.url, asked, clients=2)
    assert all(answer.status < 500 for answer in answers), [answer.status for answer in answers]


def _note(room: Running, played: int) -> Row:
    server, *others = room.memory
    sizes = dict(re.findall(r"^(\w+): +(\d+) kB$", Path(f"/proc/{room.pid}/smaps_rollup").read_text(), re.MULTILINE))
    mapped = int(sizes["Rss"]) - int(sizes["Anonymous"])
    row: Row = {
        "hands played": played,
        "web process": server,
        "of it its own": int(sizes["Anonymous"]) / 1024,
        "of it files": mapped / 1024,
        "other processes": len(others),
        "the largest": max(others, default=0),
        "goal": GOAL,
    }
    show(f"after {played} hands", [row])
    return row
