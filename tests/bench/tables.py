"""Shared tables under load: people who act at human pace, and everybody who looks on, each with a stream and a page.

Measured from the moment an action is sent until each viewer has the page of the version it made. Viewers are sent what has
changed by their stream, and fetch the whole where that does not fit, as browsers do; all of them are in this one process,
which costs something too. ``fetched`` counts the pages that were not pushed.
"""

import asyncio
import json
import random
import re
import statistics
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tests.bench.processes import Running
from tests.bench.table import Row, show
from tests.support import postgres
from tests.support.server import start_serving

TABLES: Final = 200
SEATS: Final = 5
WATCHERS: Final = 5
CROWD: Final = 1_000
SECONDS: Final = 40
PACE: Final = (2.0, 8.0)
"""Seconds between two actions at a table: what people take."""
UNHURRIED: Final = {"turn_clock": "300", "bet_clock": "300", "absent_after": "120"}
"""Nobody is played for while a crowded site is slow: that would make it slower."""
SILENCE: Final = 5.0
"""Seconds after which a seat answers a beat, as the page does."""
BETWEEN: Final = 0.01
"""Seconds between two who arrive."""
PATIENCE: Final = 300
"""Seconds until everybody must have the page."""

_VERSION: Final = re.compile(r'data-version="(\d+)"')
_DOCK: Final = re.compile(r'data-part="dock".*?</section>', re.DOTALL)
_VERB: Final = re.compile(r'name="verb"\s+value="(\w+)"')


class Line:
    """A connection that is kept open, with the cookies of one browser."""

    def __init__(self, address: str) -> None:
        self.host, _, port = address.partition(":")
        self.port, self.cookies = int(port), ""
        self._lock = asyncio.Lock()
        self._reader: Any = None
        self._writer: Any = None

    async def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None, html: bool = False
    ) -> tuple[int, str]:
        async with self._lock:
            if self._writer is not None:
                with suppress(ConnectionError, asyncio.IncompleteReadError):
                    return await self._asked(method, path, fields, html)
                self.hang_up()  # the server hangs up on who was silent for long; a browser asks again
            self._reader, self._writer = await asyncio.open_connection(self.host, self.port)
            return await self._asked(method, path, fields, html)

    async def _asked(self, method: str, path: str, fields: dict[str, str] | None, html: bool) -> tuple[int, str]:
        body = urlencode(fields or {}).encode() if method == "POST" else b""
        kind = "Accept: text/html\r\nHX-Request: true" if html else "Accept: application/json"
        head = f"{method} {path} HTTP/1.1\r\nHost: room\r\n{kind}\r\nSec-Fetch-Site: same-origin\r\n"
        if self.cookies:
            head += f"Cookie: {self.cookies}\r\n"
        if body:
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self._writer.write(head.encode() + b"\r\n" + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length, kept = 0, True
        for line in answer.split("\r\n")[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "set-cookie":
                self.cookies = value.split(";")[0]
            elif name.lower() == "connection" and value == "close":
                kept = False
        text = (await self._reader.readexactly(length)).decode() if length else ""
        if not kept:
            self.hang_up()
        return int(answer[9:12]), text

    def hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


@dataclass
class Viewer:
    """Somebody with the page open. ``seen``: when each version was on the screen. ``may``: verbs in the page."""

    line: Line
    code: str
    seated: bool
    version: int = 0
    may: set[str] = field(default_factory=set)
    seen: dict[int, float] = field(default_factory=dict)
    asked: float = 0
    fetched: int = 0

    async def listen(self) -> None:
        await self.fetch()
        reader, writer = await asyncio.open_connection(self.line.host, self.line.port)
        cookie = f"Cookie: {self.line.cookies}\r\n" if self.line.cookies else ""
        path = f"/t/{self.code}/events?since={self.version}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: room\r\n{cookie}\r\n".encode())
        status, event = (await reader.readline()).decode(), ""
        if " 200 " not in status:
            writer.close()
            raise RuntimeError(f"no stream: {status.strip()}")
        try:
            while line := (await reader.readline()).decode():
                if line.startswith("event: "):
                    event = line.strip()[7:]
                elif line.startswith("data:") and event == "parts":
                    self._merge(json.loads(line[5:]))
                elif line.startswith("data:"):
                    news = event == "moved" and int(line[5:]) > self.version
                    beat = event == "beat" and self.seated and time.perf_counter() - self.asked > SILENCE
                    if news or beat:
                        await self.fetch()
        finally:
            writer.close()  # or the next row finds the lines of this one still counted

    async def fetch(self) -> None:
        status, text = await self.line.ask("GET", f"/t/{self.code}?since={self.version}", html=True)
        self.asked = time.perf_counter()
        if status == 200:
            self.fetched += 1
            self.take(text)

    def _merge(self, pushed: dict[str, Any]) -> None:
        """What differs from another version than this page has is of no use to it: it fetches when it hears `moved`."""
        if pushed["version"] > self.version and pushed["since"] in (0, self.version):
            self.take(pushed["html"])

    def take(self, text: str) -> None:
        """Show a fragment, whole or in part: without the dock, the page may do what it could."""
        version = _VERSION.search(text)
        assert version, text[:200]
        dock = _DOCK.search(text)
        if dock:
            self.may = set(_VERB.findall(dock[0]))
        self.version = int(version[1])
        self.seen.setdefault(self.version, time.perf_counter())


@dataclass
class Table:
    code: str
    seats: list[Viewer]
    watchers: list[Viewer]
    acted: dict[int, float] = field(default_factory=dict)

    async def play(self, until: float) -> None:
        while time.perf_counter() < until:
            await asyncio.sleep(random.uniform(*PACE))
            for seat in self.seats:
                action = _action(seat.may)
                if action is None:
                    continue
                began = time.perf_counter()
                status, text = await seat.line.ask("POST", f"/t/{self.code}/{seat.version}", action, html=True)
                if status == 200:
                    seat.take(text)
                    self.acted[seat.version] = began
                    seat.asked = time.perf_counter()
                    break

    def lags(self) -> list[float]:
        """A viewer that has skipped a version has seen a later one instead."""
        found = []
        for version, began in self.acted.items():
            for viewer in (*self.seats, *self.watchers):
                later = [at for seen, at in viewer.seen.items() if seen >= version and at >= began]
                if later:
                    found.append(min(later) - began)
        return found


def _action(may: set[str]) -> dict[str, str] | None:
    if "bet" in may:
        return {"verb": "bet", "arg": "10", "cut": "measured"}
    verb = next((verb for verb in ("stand", "hit", "ready") if verb in may), None)
    return {"verb": verb} if verb else None


async def _opened(addresses: list[str], tables: int, seats: int, watchers: int) -> list[Table]:
    found = []
    for _ in range(tables):
        lines = [Line(addresses[place % len(addresses)]) for place in range(seats)]
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
        crowd = [Viewer(Line(addresses[n % len(addresses)]), code, seated=False) for n in range(watchers)]
        found.append(Table(code, people, crowd))
    return found


async def _evening(
    addresses: list[str], tables: int, seats: int, watchers: int, seconds: float
) -> tuple[list[Table], int]:
    opened = await _opened(addresses, tables, seats, watchers)
    viewers = [viewer for table in opened for viewer in (*table.seats, *table.watchers)]
    streams = []
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
        until = time.perf_counter() + seconds
        await asyncio.gather(*(table.play(until) for table in opened))
        await asyncio.sleep(2)
        _all_listen(streams)
    finally:
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*streams, return_exceptions=True)
        for viewer in viewers:
            viewer.line.hang_up()
    return opened, len(viewers)


def _all_listen(streams: list[asyncio.Task[None]]) -> None:
    """Who hears nothing any more would flatter the figures."""
    if deaf := [stream for stream in streams if stream.done()]:
        raise RuntimeError(f"{len(deaf)} streams have ended: {deaf[0].exception()!r}")


def _measured(what: str, rooms: list[Running], tables: int, seats: int, watchers: int, seconds: float) -> Row:
    before, cpu = sum(sum(room.memory) for room in rooms), sum(room.cpu for room in rooms)
    addresses = [urlsplit(room.url).netloc for room in rooms]
    opened, viewers = asyncio.run(_evening(addresses, tables, seats, watchers, seconds))
    lags = sorted(lag for table in opened for lag in table.lags())
    acts = sum(len(table.acted) for table in opened)
    grown = sum(sum(room.memory) for room in rooms) - before
    ranked = statistics.quantiles(lags, n=100, method="inclusive") if len(lags) > 1 else [0.0] * 99
    return {
        "tables": what,
        "viewers": viewers,
        "actions": acts,
        "pages": len(lags),
        "fetched": sum(viewer.fetched - 1 for table in opened for viewer in (*table.seats, *table.watchers)),
        "p50 ms": 1000 * ranked[49],
        "p99 ms": 1000 * ranked[98],
        "cpu s": sum(room.cpu for room in rooms) - cpu,
        "KB a stream": 1024 * grown / viewers,
    }


def measure(tables: int = TABLES, crowd: int = CROWD, seconds: float = SECONDS) -> list[Row]:
    """Each row in a site of its own. A few tables beside the many: what one process carries, and how it bends."""
    few, rows = max(1, tables // 10), []
    measures = [
        lambda: _on_sqlite(f"{few}, SQLite, 1 process", few, WATCHERS, seconds),
        lambda: _on_sqlite(f"{tables}, SQLite, 1 process", tables, WATCHERS, seconds),
        lambda: _on_sqlite(f"1, {crowd} look on", 1, crowd, seconds),
    ]
    if postgres.available():
        measures += [
            lambda: _on_postgres(f"{few}, PostgreSQL, 2 processes", few, seconds),
            lambda: _on_postgres(f"{tables}, PostgreSQL, 2 processes", tables, seconds),
        ]
    for measure_one in measures:
        rows.append(measure_one())
        print(*(f"{name}: {figure}" for name, figure in rows[-1].items()), sep=", ", flush=True)
    show("Shared tables: from an action to each viewer's page", rows)
    return rows


def _on_sqlite(what: str, tables: int, watchers: int, seconds: float) -> Row:
    with ExitStack() as stack:
        room = _room(stack, tables * (SEATS + watchers))
        return _measured(what, [room], tables, SEATS, watchers, seconds)


def _on_postgres(what: str, tables: int, seconds: float) -> Row:
    with ExitStack() as stack:
        url = stack.enter_context(postgres.running()).replace("postgresql+psycopg://", "postgresql://")
        _migrate(url)
        rooms = [_room(stack, tables * (SEATS + WATCHERS), TEFUDA_DATABASE_URL=url) for _ in range(2)]
        return _measured(what, rooms, tables, SEATS, WATCHERS, seconds)


def _room(stack: ExitStack, streams: int, **environ: str) -> Running:
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
