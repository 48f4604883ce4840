"""Clients of the table benchmarks: connections, pages that follow a stream, and players who act."""

import asyncio
import random
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from tests.support.event_text import EventText

PACE: Final = (2.0, 8.0)
"""Seconds between two actions at a table: what people take."""
SILENCE: Final = 5.0
"""Seconds after which a seat answers a beat, as the page does."""

_VERSION: Final = re.compile(r'data-version="(\d+)"')
_DOCK: Final = re.compile(r'data-part="dock".*?</section>', re.DOTALL)
_PUSHED: Final = re.compile(r"^id: \d+\n((?:data: .*\n)+)", re.MULTILINE)
_EVENT: Final = re.compile(r"^event: (\w+)\ndata: (.*)$", re.MULTILINE)
_VERB: Final = re.compile(r'name="verb"\s+value="(\w+)"')


class Line:
    """A keep-alive connection with the cookies of one browser."""

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
                self.hang_up()  # the server closes idle connections; browsers repeat the request
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
    """A player's page. ``seen``: when each version was shown. ``may``: verbs of the buttons in the page."""

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
        text = EventText()
        try:
            while came := await reader.read(100_000):
                events = text.add(came).decode()
                if text.head and b" 200 " not in text.head[:13]:
                    raise RuntimeError(f"no stream: {text.head[:40]!r}")
                for pushed in _PUSHED.findall(events):
                    self._merge(pushed)
                for event, said in _EVENT.findall(events):
                    await self._hear(event, said)
        finally:
            writer.close()  # or the next row finds the lines of this one still counted

    async def _hear(self, event: str, said: str) -> None:
        news = event == "moved" and int(said) > self.version
        beat = event == "beat" and self.seated and time.perf_counter() - self.asked > SILENCE
        if news or beat:
            await self.fetch()

    async def fetch(self) -> None:
        status, text = await self.line.ask("GET", f"/t/{self.code}?since={self.version}", html=True)
        self.asked = time.perf_counter()
        if status == 200:
            self.fetched += 1
            self.take(text)

    def _merge(self, pushed: str) -> None:
        """Show an update, unless the answer to a command has brought that version or a later one."""
        version = _VERSION.search(pushed)
        if version and int(version[1]) > self.version:
            self.take(pushed)

    def take(self, text: str) -> None:
        """Show a fragment or parts of it. Without a new dock the buttons stay."""
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
            acted = await self.act()
            if acted:
                version, began = acted
                self.acted[version] = began

    async def act(self) -> tuple[int, float] | None:
        """Let the first seat that can act do so; return the new version and the time at which the request was sent."""
        for seat in self.seats:
            action = _action(seat.may)
            if action is None:
                continue
            began = time.perf_counter()
            status, text = await seat.line.ask("POST", f"/t/{self.code}/{seat.version}", action, html=True)
            if status == 200:
                seat.take(text)
                seat.asked = time.perf_counter()
                return seat.version, began
        return None

    def lags(self) -> list[float]:
        """Return the seconds from each action to each page. For a page that skipped a version, the next one counts."""
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
