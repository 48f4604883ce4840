"""Shared tables under load: players who act at human pace, and watchers, each with a stream and a page.

Time is measured from sending an action until each viewer has the page of the version it made. Viewers receive changes
by their streams, and fetch the whole page where a change does not fit, as browsers do. All viewers are in this process,
which costs something, too. ``fetched`` counts pages that were not pushed.

A table acts again some time after its last answer, so a slow site gets fewer actions: ``asked`` is the rate for a site
that answers at once. Where ``done`` is lower, the site is at its limit, and the times reflect the length of queues.
``late``: the delay of this process itself (99th percentile). ``missing`` pages had not arrived at the end; they count
with the time waited for them.
"""

import asyncio
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.crowd import Watcher, crowd_lags, look_on
from tests.bench.goals import Goal
from tests.bench.processes import Running
from tests.bench.table import Row, show
from tests.bench.table_people import PACE, Line, Table, Viewer
from tests.support import postgres
from tests.support.server import start_serving

TABLES: Final = 200
SEATS: Final = 5
WATCHERS: Final = 5
CROWDS: Final = (1_000, 5_000)
SECONDS: Final = 40
LEFT: Final = 10.0
"""Seconds for which the last pages are waited for."""
AT_ONCE: Final = 4
"""Tables that are opened at the same time."""
UNHURRIED: Final = {"turn_clock": "300", "bet_clock": "300", "absent_after": "120"}
"""Nobody is played for while a crowded site is slow: that would make it slower."""
ROUND: Final = 18
"""Actions of a round, about."""
BETWEEN: Final = 0.01
"""Seconds between two who arrive."""
PATIENCE: Final = 300
"""Seconds until everybody must have the page."""
TICK: Final = 0.02
"""Seconds between two looks at how late this process is."""


ROUTED: Final = ", a table at one"


def on_sqlite(tables: int) -> str:
    """Return the name of the row for this many tables in one process."""
    return f"{tables}, SQLite, 1 process"


def watched_by(crowd: int) -> str:
    """Return the name of the row for one table with this many watchers."""
    return f"1, {crowd} look on"


def on_postgres(tables: int) -> str:
    """Return the name of the row for this many tables in two processes."""
    return f"{tables}, PostgreSQL, 2 processes"


def _goal(name: str, row: str, column: str, at_most: float) -> Goal:
    return Goal(name, "ms", row, column, at_most)


FEW: Final = TABLES // 10
MANY: Final = f"{TABLES} tables, PostgreSQL, two processes, routed as nginx does"
GOALS: Final = (
    _goal(f"{FEW} tables: 99 % of pages", on_sqlite(FEW), "p99 ms", 150),
    _goal(f"{MANY}: half of pages", on_postgres(TABLES) + ROUTED, "p50 ms", 100),
    _goal(f"{MANY}: 99 % of pages", on_postgres(TABLES) + ROUTED, "p99 ms", 500),
    _goal(f"{CROWDS[0]:,} look on: 99 % of pages", watched_by(CROWDS[0]), "p99 ms", 120),
    _goal(f"{CROWDS[1]:,} look on: 99 % of pages", watched_by(CROWDS[1]), "p99 ms", 300),
)


@dataclass(frozen=True)
class Crowded:
    """The people of an evening and its length. ``routed``: all people of a table use the same process."""

    tables: int
    watchers: int = WATCHERS
    crowd: int = 0
    seconds: float = SECONDS
    seats: int = SEATS
    routed: bool = True

    @property
    def streams(self) -> int:
        return self.tables * (self.seats + self.watchers) + self.crowd


async def opened(addresses: list[str], tables: int, seats: int, watchers: int, routed: bool = True) -> list[Table]:
    """Open tables and seat people who are ready. ``routed``: all people of a table use the same process.

    The tables are at different stages of a round, as on a real evening, so that they do not deal at the same moment.
    """
    turn = asyncio.Semaphore(AT_ONCE)

    async def open_table(number: int) -> Table:
        async with turn:
            to = [addresses[number % len(addresses)]] if routed else addresses
            lines = [Line(to[place % len(to)]) for place in range(seats)]
            _, text = await lines[0].ask("POST", "/tables", UNHURRIED)
            code = json.loads(text)["code"]
            people = []
            for place, line in enumerate(lines):
                _, text = await line.ask("GET", f"/t/{code}")
                version = json.loads(text)["version"]
                _, text = await line.ask("POST", f"/t/{code}/{version}", {"verb": "sit", "arg": str(place)})
                people.append(Viewer(line, code, seated=True))
            for line in lines:
                _, text = await line.ask("GET", f"/t/{code}")
                await line.ask("POST", f"/t/{code}/{json.loads(text)['version']}", {"verb": "ready"})
            crowd = [Viewer(Line(to[n % len(to)]), code, seated=False) for n in range(watchers)]
            table = Table(code, people, crowd)
            for _ in range(number % ROUND):
                for seat in people:
                    await seat.fetch()
                await table.act()
            return table

    return list(await asyncio.gather(*map(open_table, range(tables))))


async def _evening(rooms: list[Running], come: Crowded) -> Row:
    """Play, and return the figures."""
    addresses = [urlsplit(room.url).netloc for room in rooms]
    before = sum(sum(room.memory) for room in rooms)
    playing = await opened(addresses, come.tables, come.seats, come.watchers, come.routed)
    viewers = [viewer for table in playing for viewer in (*table.seats, *table.watchers)]
    streams, looking_on = [], list[Watcher]()
    try:
        for viewer in viewers:
            streams.append(asyncio.create_task(viewer.listen()))
            await asyncio.sleep(BETWEEN)
        deadline = time.perf_counter() + PATIENCE
        while any(viewer.version == 0 for viewer in viewers):  # until everybody has the page
            _all_listen(streams)
            if time.perf_counter() > deadline:
                raise TimeoutError(f"{sum(viewer.version == 0 for viewer in viewers)} have no page")
            await asyncio.sleep(0.1)
        if come.crowd:
            line, code, version = playing[0].seats[0].line, playing[0].code, viewers[0].version
            looking_on = await look_on(line.host, line.port, code, version, come.crowd)
        for viewer in viewers:
            viewer.fetched = 0
        heard = sum(one.heard for one in looking_on)
        cpu, own, began = sum(room.cpu for room in rooms), time.process_time(), time.perf_counter()
        late: list[float] = []
        watch = asyncio.create_task(_watch(late))
        until = began + come.seconds
        await asyncio.gather(*(table.play(until) for table in playing))
        taken = time.perf_counter() - began
        cpu, own = sum(room.cpu for room in rooms) - cpu, time.process_time() - own
        watch.cancel()
        waited = await _all_have_pages(playing, looking_on, LEFT)
        _all_listen(streams)
        heard = sum(one.heard for one in looking_on) - heard
        grown = sum(sum(room.memory) for room in rooms) - before
    finally:
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        for viewer in viewers:
            viewer.line.hang_up()
        for one in looking_on:
            one.close()
    lags = [lag for table in playing for lag in table.lags()] + crowd_lags(looking_on, playing[0].acted)
    wanted = sum(len(table.acted) * (come.seats + come.watchers) for table in playing)
    missing = wanted + len(playing[0].acted) * len(looking_on) - len(lags)
    lags += [waited] * missing
    ranked = statistics.quantiles(lags, n=100, method="inclusive") if len(lags) > 1 else [0.0] * 99
    done = sum(len(table.acted) for table in playing)
    return {
        "viewers": come.streams,
        "asked/s": come.tables / (sum(PACE) / 2),
        "done/s": done / taken,
        "pages": len(lags),
        "fetched": sum(viewer.fetched for viewer in viewers) + sum(one.missed for one in looking_on),
        "missing": missing,
        "p50 ms": 1000 * ranked[49],
        "p99 ms": 1000 * ranked[98],
        "KB a page": heard / 1000 / max(1, sum(len(one.seen) for one in looking_on)),
        "cpu ms an action": 1000 * cpu / max(1, done),
        "cpu %": 100 * cpu / taken,
        "own cpu %": 100 * own / taken,
        "late ms": 1000 * statistics.quantiles(late, n=100)[98] if len(late) > 1 else 0.0,
        "KB a stream": 1024 * grown / come.streams,
    }


async def _all_have_pages(playing: Sequence[Table], crowd: Sequence[Watcher], seconds: float) -> float:
    """Wait until all pages have the last version of each table, or time is up; return the seconds waited."""
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        late = any(
            viewer.version < max(table.acted, default=0)
            for table in playing
            for viewer in (*table.seats, *table.watchers)
        )
        if not late and all(one.version >= max(playing[0].acted, default=0) for one in crowd):
            break
        await asyncio.sleep(0.2)
    return time.perf_counter() - began


async def _watch(late: list[float]) -> None:
    with suppress(asyncio.CancelledError):
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK)
            late.append(time.perf_counter() - began - TICK)


def _all_listen(streams: list[asyncio.Task[None]]) -> None:
    """Assert that no stream has ended: those would be missing from the figures."""
    if deaf := [stream for stream in streams if stream.done()]:
        raise RuntimeError(f"{len(deaf)} streams have ended: {deaf[0].exception()!r}")


def measure(tables: int = TABLES, crowds: tuple[int, ...] = CROWDS, seconds: float = SECONDS) -> list[Row]:
    """Measure each row on a site of its own."""
    few, half, rows = max(1, tables // 10), tables // 2, list[Row]()
    measures: list[tuple[str, Callable[[str, Crowded], Row], Crowded]] = [
        (on_sqlite(few), _on_sqlite, Crowded(few, seconds=seconds)),
        (on_sqlite(half), _on_sqlite, Crowded(half, seconds=seconds)),
        *((watched_by(crowd), _on_sqlite, Crowded(1, 0, crowd, seconds)) for crowd in crowds),
    ]
    if postgres.available():
        many = Crowded(tables, seconds=seconds)
        measures += [
            (on_postgres(tables) + ROUTED, _on_postgres, many),
            (on_postgres(tables), _on_postgres, replace(many, routed=False)),
            (on_postgres(half), _on_postgres, Crowded(half, seconds=seconds, routed=False)),
        ]
    else:
        print("  without PostgreSQL: two processes are not measured")
    for called, where, come in measures:
        rows.append(where(called, come))
        print(*(f"{name}: {figure}" for name, figure in rows[-1].items()), sep=", ", flush=True)
    show("Shared tables: from an action to each viewer's page", rows)
    return rows


def one_evening(room: Running, come: Crowded) -> Row:
    """Play on a site that is already running."""
    return asyncio.run(_evening([room], come))


def _on_sqlite(called: str, come: Crowded) -> Row:
    with ExitStack() as stack:
        return {"tables": called, **one_evening(open_room(stack), come)}


def _on_postgres(called: str, come: Crowded) -> Row:
    with ExitStack() as stack:
        url = stack.enter_context(postgres.running()).replace("postgresql+psycopg://", "postgresql://")
        _migrate(url)
        rooms = [open_room(stack, TEFUDA_DATABASE_URL=url) for _ in range(2)]
        return {"tables": called, **asyncio.run(_evening(rooms, come))}


def open_room(stack: ExitStack, **environ: str) -> Running:
    """Run a site until the stack is closed."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-")))
    server = start_serving(folder, **environ)
    stack.callback(server.stop)
    return Running(server.url, server.process.pid)


def _migrate(url: str) -> None:
    from tests.support.app import close, make_app, migrate

    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        app = make_app(url, Path(folder))
        migrate(app)
        close(app)
