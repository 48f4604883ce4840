"""Shared tables under load: people who act at human pace, and everybody who looks on, each with a stream and a page.

Measured from the moment an action is sent until each viewer has the page of the version it made. Viewers are sent what has
changed by their stream, and fetch the whole where that does not fit, as browsers do; all of them are in this one process,
which costs something too. ``fetched`` counts the pages that were not pushed.

A table acts again when the answer has come and somebody has thought for a while, so a site that is too slow is asked
less: ``asked`` is what would be asked of one that answers at once. Where ``done`` is less, the site is at its limit, and
the times say how long the queues are. ``late``: by how much this process itself is late (99th percentile).
"""

import asyncio
import json
import resource
import statistics
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.crowd import Watcher, crowd_lags, look_on
from tests.bench.processes import Running
from tests.bench.table import Row, show
from tests.bench.table_people import PACE, Line, Table, Viewer
from tests.support import postgres
from tests.support.event_text import GZIP
from tests.support.server import start_serving

TABLES: Final = 200
SEATS: Final = 5
WATCHERS: Final = 5
CROWDS: Final = (1_000, 5_000)
SECONDS: Final = 40
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


async def opened(addresses: list[str], tables: int, seats: int, watchers: int, routed: bool = True) -> list[Table]:
    """Open tables, and seat people who are ready. ``routed``: all who are at a table come to one process.

    Each table is further in its round than the one before: those of a real evening are not dealt in the same moment.
    """
    found = []
    for number in range(tables):
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
        found.append(Table(code, people, crowd))
        for _ in range(number % ROUND):
            for seat in people:
                await seat.fetch()
            await found[-1].act()
    return found


async def _evening(
    rooms: list[Running],
    tables: int,
    seats: int,
    watchers: int,
    crowd: int,
    seconds: float,
    routed: bool = True,
    packed: bool = True,
) -> Row:
    """Play, and return the figures. ``packed``: the crowd takes gzip, as browsers do."""
    addresses = [urlsplit(room.url).netloc for room in rooms]
    before = sum(sum(room.memory) for room in rooms)
    playing = await opened(addresses, tables, seats, watchers, routed)
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
        if crowd:
            line, code = playing[0].seats[0].line, playing[0].code
            looking_on = await look_on(
                line.host, line.port, code, viewers[0].version, crowd, headers=GZIP if packed else ""
            )
        for viewer in viewers:
            viewer.fetched = 0
        heard = sum(one.heard for one in looking_on)
        cpu, own, began = sum(room.cpu for room in rooms), time.process_time(), time.perf_counter()
        late: list[float] = []
        watch = asyncio.create_task(_watch(late))
        until = began + seconds
        await asyncio.gather(*(table.play(until) for table in playing))
        taken = time.perf_counter() - began
        cpu, own = sum(room.cpu for room in rooms) - cpu, time.process_time() - own
        watch.cancel()
        await asyncio.sleep(2)
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
    ranked = statistics.quantiles(lags, n=100, method="inclusive") if len(lags) > 1 else [0.0] * 99
    done = sum(len(table.acted) for table in playing)
    return {
        "viewers": len(viewers) + crowd,
        "asked/s": tables / (sum(PACE) / 2),
        "done/s": done / taken,
        "pages": len(lags),
        "fetched": sum(viewer.fetched for viewer in viewers) + sum(one.missed for one in looking_on),
        "p50 ms": 1000 * ranked[49],
        "p99 ms": 1000 * ranked[98],
        "KB a page": heard / 1000 / max(1, sum(len(one.seen) for one in looking_on)),
        "cpu ms an action": 1000 * cpu / max(1, done),
        "cpu %": 100 * cpu / taken,
        "own cpu %": 100 * own / taken,
        "late ms": 1000 * statistics.quantiles(late, n=100)[98] if len(late) > 1 else 0.0,
        "KB a stream": 1024 * grown / (len(viewers) + crowd),
    }


async def _watch(late: list[float]) -> None:
    with suppress(asyncio.CancelledError):
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK)
            late.append(time.perf_counter() - began - TICK)


def _all_listen(streams: list[asyncio.Task[None]]) -> None:
    """Who hears nothing any more would flatter the figures."""
    if deaf := [stream for stream in streams if stream.done()]:
        raise RuntimeError(f"{len(deaf)} streams have ended: {deaf[0].exception()!r}")


def measure(tables: int = TABLES, crowds: tuple[int, ...] = CROWDS, seconds: float = SECONDS) -> list[Row]:
    """Each row in a site of its own. A few tables beside the many: what one process carries, and how it bends."""
    few, rows = max(1, tables // 10), []
    measures = [
        lambda: _on_sqlite(f"{few}, SQLite, 1 process", few, WATCHERS, 0, seconds),
        lambda: _on_sqlite(f"{tables // 2}, SQLite, 1 process", tables // 2, WATCHERS, 0, seconds),
        lambda: _on_sqlite(f"{tables}, SQLite, 1 process", tables, WATCHERS, 0, seconds),
        *(
            lambda crowd=crowd: _on_sqlite(f"1, {crowd} look on", 1, 0, crowd, seconds)  # type: ignore[misc]
            for crowd in crowds
        ),
        lambda: _on_sqlite(f"1, {crowds[-1]} look on without gzip", 1, 0, crowds[-1], seconds, packed=False),
    ]
    if postgres.available():
        measures += [
            lambda: _on_postgres(f"{few}, PostgreSQL, 2 processes", few, seconds, routed=False),
            lambda: _on_postgres(f"{tables // 2}, PostgreSQL, 2 processes", tables // 2, seconds, routed=False),
            lambda: _on_postgres(f"{tables}, PostgreSQL, 2 processes", tables, seconds, routed=False),
            lambda: _on_postgres(f"{tables}, PostgreSQL, 2 processes, a table at one", tables, seconds, routed=True),
        ]
    for measure_one in measures:
        rows.append(measure_one())
        print(*(f"{name}: {figure}" for name, figure in rows[-1].items()), sep=", ", flush=True)
    show("Shared tables: from an action to each viewer's page", rows)
    return rows


def _on_sqlite(what: str, tables: int, watchers: int, crowd: int, seconds: float, packed: bool = True) -> Row:
    with ExitStack() as stack:
        room = open_room(stack, tables * (SEATS + watchers) + crowd)
        return {"tables": what, **asyncio.run(_evening([room], tables, SEATS, watchers, crowd, seconds, packed=packed))}


def _on_postgres(what: str, tables: int, seconds: float, routed: bool) -> Row:
    with ExitStack() as stack:
        url = stack.enter_context(postgres.running()).replace("postgresql+psycopg://", "postgresql://")
        _migrate(url)
        rooms = [open_room(stack, tables * (SEATS + WATCHERS), TEFUDA_DATABASE_URL=url) for _ in range(2)]
        return {"tables": what, **asyncio.run(_evening(rooms, tables, SEATS, WATCHERS, 0, seconds, routed))}


def open_room(stack: ExitStack, streams: int, **environ: str) -> Running:
    """Serve a site until the stack is left."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-")))
    server = start_serving(folder, TEFUDA_STREAMS=str(streams + 100), **environ)
    stack.callback(server.stop)
    return Running(server.url, server.process.pid)


def _migrate(url: str) -> None:
    from tests.support.app import close, make_app, migrate

    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        app = make_app(url, Path(folder))
        migrate(app)
        close(app)
