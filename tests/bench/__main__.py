"""``python -m tests.bench``: run all benchmarks, or the parts that are named; ``goals`` runs those with goals.

Compare figures of one run only: the speed of the machine is in all of them. A table of the goals, met and missed, is
printed at the end. All figures are also written to ``.benchmarks/bench.json``, which is not committed; its column
``others %`` is the processor time that other programs used before and after each part.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from tests.bench import (
    engine,
    lab,
    live,
    memory,
    motion,
    odds,
    odds_blackjack,
    server,
    storms,
    tables,
    weights,
)
from tests.bench.goals import Goal, goals_of, missed
from tests.bench.processes import taken_by_others
from tests.bench.table import Row, show
from tests.support.app import close, make_app, migrate
from webapp.web.templating.static_files import serve_compressed

KEPT: Final = Path(__file__).parents[2] / ".benchmarks" / "bench.json"


def _weights() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        app = make_app(f"sqlite:///{folder}/room.sqlite3", Path(folder))
        migrate(app)
        serve_compressed(app, Path(folder, "static"))
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())  # its log is not wanted between the figures
        rows = weights.measure(app.test_client())
        close(app)
        return rows


PARTS: Final[Mapping[str, Callable[[], list[Row]]]] = {
    "engine": engine.measure,
    "lab": lab.measure,
    "odds": lambda: [*odds.measure(), *odds_blackjack.measure()],
    "weights": _weights,
    "live": live.measure,
    "server": server.measure,
    "tables": tables.measure,
    "storms": storms.measure,
    "memory": memory.measure,
    "motion": motion.measure,
}


GOALS: Final[Mapping[str, Sequence[Goal]]] = {
    "live": live.GOALS,
    "server": server.GOALS,
    "tables": tables.GOALS,
    "storms": storms.GOALS,
    "memory": memory.GOALS,
}
QUIET: Final = 10.0
"""Percent of the processors that others may have; with more of it the figures are not those of a quiet machine."""


def main() -> int:
    """Run the benchmarks; return 1 if a goal was missed and ``--strict`` was given."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all if none is named; goals")
    parser.add_argument("--hands", type=int, default=memory.HANDS, help="hands played for the memory (%(default)s)")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a goal was missed")
    asked = parser.parse_args()
    parts = {**PARTS, "memory": lambda: memory.measure(asked.hands)}
    named = [part for name in asked.parts for part in (GOALS if name == "goals" else [name])]
    if unknown := set(named) - set(parts):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    machine = f"Python {platform.python_version()}, {os.cpu_count()} processors"
    began, at = time.monotonic(), f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    print(f"{machine}, {at}")
    figures, others = dict[str, list[Row]](), dict[str, tuple[float, float]]()
    for name in dict.fromkeys(named) or parts:
        before = taken_by_others()
        figures[name] = parts[name]()
        others[name] = (before, taken_by_others())
    verdicts = goals_of(GOALS, figures)
    KEPT.parent.mkdir(exist_ok=True)
    told = {"machine": machine, "at": at, "others %": others, "goals": verdicts, **figures}
    KEPT.write_text(json.dumps(told, indent=1))
    if verdicts:
        show(f"Goals, {machine}, {at}", verdicts)
    for name, shares in others.items():
        if max(shares) > QUIET:
            print(f"  Others had {shares[0]:.0f} % of the processors before {name}, and {shares[1]:.0f} % after it.")
    print(f"\n{time.monotonic() - began:.0f} seconds; the figures are also in {KEPT.relative_to(KEPT.parents[1])}")
    return int(asked.strict and bool(missed(verdicts)))


if __name__ == "__main__":
    sys.exit(main())
