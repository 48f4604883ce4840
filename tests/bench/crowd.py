"""Thousands of watchers in one process, each as cheap as possible.

A watcher records when each version arrives and does nothing else, so that its own cost does not hide that of the
server.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tests.support.event_text import EventText

_PUSHED: Final = re.compile(rb"^id: (\d+)\n", re.MULTILINE)
_MOVED: Final = re.compile(rb"event: moved\ndata: (\d+)\n")
AT_ONCE: Final = 50
"""Streams that are opened at the same time."""


@lru_cache(maxsize=512)
def _versions(text: bytes) -> tuple[list[int], list[int], float]:
    """Return pushed versions, announced versions, and the seconds before a reconnect."""
    pushed = [int(version) for version in _PUSHED.findall(text)]
    retry = int(text.rpartition(b"retry: ")[2].split(b"\n")[0]) / 1000 if b"retry: " in text else 0.0
    return pushed, [int(version) for version in _MOVED.findall(text)], retry


class Watcher(asyncio.Protocol):
    """One event stream.

    ``seen``: when each version was pushed. ``missed``: versions that were announced without an update.
    """

    def __init__(self, code: str, version: int) -> None:
        self.code, self.version = code, version
        self.heard = 0
        """Bytes that have come."""
        self.seen: dict[int, float] = {}
        self.missed = 0
        self.was_refused = False
        """The server has answered, and not with a stream."""
        self.opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.retry = 2.0
        self._text = EventText()
        self.transport: asyncio.Transport | None = None

    async def connect(self, host: str, port: int) -> None:
        """Open the stream.

        Raises:
            OSError: Nobody listens there.
        """
        await asyncio.get_running_loop().create_connection(lambda: self, host, port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        address = f"/t/{self.code}/events?since={self.version}"
        head = f"GET {address} HTTP/1.1\r\nHost: room\r\nAccept: text/event-stream\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        self.heard += len(data)
        if not self._text.head and data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200"):
            self.was_refused = True
            if not self.opened.done():
                self.opened.set_result(False)
            return
        if self.was_refused or not (text := self._text.add(data)):
            return
        at = time.perf_counter()
        pushed, moved, retry = _versions(text)
        self.retry = retry or self.retry
        if moved and not self.opened.done():
            self.opened.set_result(True)
        for version in pushed:
            self.version = version
            self.seen[version] = at
        for version in moved:
            if version > self.version:
                self.missed, self.version = self.missed + 1, version

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_result(False)
        if not self.ended.done():
            self.ended.set_result(None)

    def close(self) -> None:
        if self.transport:
            self.transport.abort()


async def look_on(host: str, port: int, code: str, version: int, count: int) -> list[Watcher]:
    """Open this many streams of a table.

    Raises:
        RuntimeError: The server refuses one.
    """
    crowd = list[Watcher]()
    while len(crowd) < count:
        few = [Watcher(code, version) for _ in range(min(AT_ONCE, count - len(crowd)))]
        await asyncio.gather(*(one.connect(host, port) for one in few))
        if not all(await asyncio.gather(*(one.opened for one in few))):
            raise RuntimeError(f"a stream was refused after {len(crowd)}")
        crowd += few
    return crowd


def crowd_lags(crowd: Sequence[Watcher], acted: dict[int, float]) -> list[float]:
    """Return the seconds from each action to each page. For a page that skipped a version, the next one counts."""
    found = []
    for one in crowd:
        for version, began in acted.items():
            later = [at for seen, at in one.seen.items() if seen >= version]
            if later:
                found.append(min(later) - began)
    return found
