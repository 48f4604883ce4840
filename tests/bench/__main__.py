"""``python -m tests.bench [engine] [lab] [odds] [weights] [pages] [server] [growth] [live] [tables] [caches]
[storms] [disk] [motion] [memory]``: all, or those that are named.

Figures are to be compared within one run: the machine's mood is in all of them. They are also left in
``.benchmarks/bench.json``, which git does not keep.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import structlog

from tests.bench import (
    caches,
    disk,
    engine,
    growth,
    lab,
    live,
    memory,
    motion,
    odds,
    odds_blackjack,
    odds_desk,
    pages,
    server,
    storms,
    tables,
    weights,
)
from tests.bench.table import Row
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
    "odds": lambda: [*odds.measure(), *odds_blackjack.measure(), *odds_desk.measure()],
    "weights": _weights,
    "pages": pages.measure,
    "server": server.measure,
    "growth": growth.measure,
    "live": live.measure,
    "tables": tables.measure,
    "caches": caches.measure,
    "storms": storms.measure,
    "disk": disk.measure,
    "motion": motion.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}, memory; all if none is named")
    parser.add_argument("--hands", type=int, default=memory.HANDS, help="hands played for the memory (%(default)s)")
    asked = parser.parse_args()
    parts = {**PARTS, "memory": lambda: memory.measure(asked.hands)}
    wanted = asked.parts or list(parts)
    if unknown := set(wanted) - set(parts):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    machine = f"Python {platform.python_version()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(machine)
    began = time.monotonic()
    figures = {name: parts[name]() for name in wanted}
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps({"machine": machine, **figures}, indent=1))
    print(f"\n{time.monotonic() - began:.0f} seconds; the figures are also in {KEPT.relative_to(KEPT.parents[1])}")


if __name__ == "__main__":
    main()
