"""Comparison of servers: a bare view, an action, and idle event streams.

All servers run the same two apps in one process and are measured alternately in one run; streams are opened on fresh
sites. ``own adapter``: the app receives requests as in ``tefuda serve`` (``webapp/adapter.py``), so the server can hold
event streams without threads; without the adapter a stream is answered with 204, or would occupy a thread. Servers that
are not installed are left out.
"""

import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.bench.live import hold
from tests.bench.processes import Running, bare, program, tefuda
from tests.bench.server import BARE, COURSES, Evening, Figures
from tests.bench.storm import CLIENTS, ask
from tests.bench.table import Row, show
from tests.support.server import KEY, free_port, prepare

PLAYERS: Final = 160
ROUNDS: Final = 3
STREAMS: Final = 500
IDLE: Final = 15.0
OWN: Final = "tefuda serve (uvicorn, own adapter)"


@dataclass(frozen=True)
class Other:
    """Another server. ``needs``: the packages it needs. ``streams``: whether it holds streams without threads."""

    name: str
    needs: tuple[str, ...]
    command: tuple[str, ...]
    streams: str = "a thread each"

    def run(self, stack: ExitStack, app: str, **environ: str) -> Running:
        port = free_port()
        words = [word.format(port=port) for word in self.command]
        return stack.enter_context(program([sys.executable, "-m", *words], port, BENCH_APP=app, **environ))


HELD: Final = "held"
_UVICORN: Final = ("uvicorn", "--port", "{port}", "--log-level", "error", "--no-access-log")
_GUNICORN: Final = ("gunicorn", "-b", "127.0.0.1:{port}", "-k", "gthread", "--threads", "32", "--log-level", "error")
_GRANIAN: Final = ("granian", "--port", "{port}", "--log-level", "error", "--interface")
_HYPERCORN: Final = ("hypercorn", "-b", "127.0.0.1:{port}", "-w", "0", "--log-level", "error")
OTHERS: Final = (
    Other("uvicorn, a2wsgi", ("a2wsgi",), (*_UVICORN, "--factory", "tests.bench.tuned:common")),
    Other("gunicorn, 32 threads", ("gunicorn",), (*_GUNICORN, "tests.bench.tuned:app")),
    Other(
        "granian, WSGI, 32 threads",
        ("granian",),
        (*_GRANIAN, "wsgi", "--blocking-threads", "32", "tests.bench.tuned:app"),
    ),
    Other("granian, own adapter", ("granian",), (*_GRANIAN, "asgi", "tests.bench.tuned:own"), HELD),
    Other("hypercorn, WSGI", ("hypercorn",), (*_HYPERCORN, "wsgi:tests.bench.tuned:app")),
    Other("hypercorn, own adapter", ("hypercorn",), (*_HYPERCORN, "asgi:tests.bench.tuned:own"), HELD),
)


@dataclass
class Compared:
    """A server with each of the two apps, and its figures."""

    nothing: Running
    evening: Evening
    view: Figures

    def play(self, counts: bool) -> None:
        self.evening.play(looking=False)
        self.view.storm(self.nothing, [ask("/")] * BARE * len(self.evening.visitors))
        if not counts:
            self.evening.figures.clear()
            self.view = Figures()

    def row(self) -> Row:
        acted = Figures.together(self.evening.figures[kind] for kind in ("deal", "draw"))
        return {
            "bare views/s": 1 / self.view.each,
            "bare CPU ms": self.view.cpu_ms,
            "actions/s": 1 / acted.each,
            "action CPU ms": acted.cpu_ms,
            "MB": sum(self.evening.room.memory),
        }


def measure(players: int = PLAYERS, rounds: int = ROUNDS, streams: int = STREAMS, idle: float = IDLE) -> list[Row]:
    others = [other for other in OTHERS if _is_there(other)]
    with ExitStack() as stack:
        room, nothing = stack.enter_context(tefuda(TEFUDA_LAB_WORKERS="0")), stack.enter_context(bare())
        compared = {OWN: Compared(nothing, Evening(room, players, COURSES[0]), Figures())}
        for other in others:
            site = other.run(stack, "site", **_settings(stack))
            compared[other.name] = Compared(other.run(stack, "bare"), Evening(site, players, COURSES[0]), Figures())
        for counted in range(1 + rounds):
            for each in compared.values():
                each.play(counts=counted > 0)
        figures = {name: each.row() for name, each in compared.items()}
    kept = {OWN: _held(None, streams, idle)} | {other.name: _held(other, streams, idle) for other in others}
    rows: list[Row] = [{"server": name, **row, **kept[name]} for name, row in figures.items()]
    show(f"Servers: {CLIENTS} clients at once; {streams} idle streams", rows)
    return rows


def _held(other: Other | None, streams: int, idle: float) -> Mapping[str, float | str]:
    """Return the cost of streams of a site that was just started."""
    if other is not None and other.streams != HELD:
        return {"KB a stream": other.streams, "idle CPU %": "-"}
    with ExitStack() as stack:
        if other is None:
            room = stack.enter_context(tefuda(TEFUDA_LAB_WORKERS="0"))
        else:
            room = other.run(stack, "site", **_settings(stack))
        _, costs = hold(room, streams, idle)
    return {"KB a stream": costs["KB a stream"], "idle CPU %": costs["CPU %"]}


def _is_there(other: Other) -> bool:
    missing = [name for name in other.needs if not find_spec(name)]
    if missing:
        print(f"  without {', '.join(missing)}: {other.name} is not measured")
    return not missing


def _settings(stack: ExitStack) -> dict[str, str]:
    """Return the settings of a site in a folder of its own, as ``start_serving`` makes them."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-")))
    prepare(folder)
    return {
        "TEFUDA_INSTANCE": str(folder),
        "TEFUDA_SECRET_KEY": KEY,
        "TEFUDA_RATE_LIMITS": "off",
        "TEFUDA_LAB_WORKERS": "0",
    }
