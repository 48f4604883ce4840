"""A crowd that looks on: thousands of streams in one process, each as cheap to hear as can be.

A page of it notes when each version has come, and nothing else: what it costs to hear must not hide what is measured.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from typing import Final

_PUSHED: Final = re.compile(rb'data: \{"version":(\d+),"since":(\d+),')
_MOVED: Final = re.compile(rb"event: moved\ndata: (\d+)\n")
AT_ONCE: Final = 50
"""Streams that are opened at the same time."""


class Watcher(asyncio.Protocol):
    """One stream. ``seen``: when each version was pushed whole; ``missed``: versions that were only told of."""

    def __init__(self, code: str, version: int, reads: bool = True) -> None:
        self.code, self.version, self._reads = code, version, reads
        self.seen: dict[int, float] = {}
        self.missed = 0
        self.was_refused = False
        """The server has answered, and not with a stream."""
        self.opened: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.retry = 2.0
        self._heard = b""
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
        transport.write(f"GET {address} HTTP/1.1\r\nHost: room\r\nAccept: text/event-stream\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        self._heard += data
        if not self.opened.done():
            if self._heard.startswith(b"HTTP/1.1 ") and not self._heard.startswith(b"HTTP/1.1 200"):
                self.was_refused = True
                self.opened.set_result(False)
                return
            if b"event: moved" not in self._heard:
                return
            self.opened.set_result(True)
            if not self._reads and self.transport:
                self.transport.pause_reading()
        if not self._heard.endswith((b"\n\n", b"\n\n\r\n")):
            return
        heard, self._heard = self._heard, b""
        if b"retry: " in heard:
            self.retry = int(heard.rpartition(b"retry: ")[2].split(b"\n")[0]) / 1000
        at, pushed = time.perf_counter(), _PUSHED.findall(heard)
        for version, since in pushed:
            if int(since) in (0, self.version):
                self.version = int(version)
                self.seen[self.version] = at
        for version in _MOVED.findall(heard):
            if int(version) > self.version:
                self.missed, self.version = self.missed + 1, int(version)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_result(False)
        if not self.ended.done():
            self.ended.set_result(None)

    def close(self) -> None:
        if self.transport:
            self.transport.abort()


async def look_on(
    host: str, port: int, code: str, version: int, count: int, reads: bool = True, page: type[Watcher] = Watcher
) -> list[Watcher]:
    """Open so many streams of a table. ``page``: what the pages are that open them.

    Raises:
        RuntimeError: The server refuses one.
    """
    crowd = list[Watcher]()
    while len(crowd) < count:
        few = [page(code, version, reads) for _ in range(min(AT_ONCE, count - len(crowd)))]
        await asyncio.gather(*(one.connect(host, port) for one in few))
        if not all(await asyncio.gather(*(one.opened for one in few))):
            raise RuntimeError(f"a stream was refused after {len(crowd)}")
        crowd += few
    return crowd


def crowd_lags(crowd: Sequence[Watcher], acted: dict[int, float]) -> list[float]:
    """Return the seconds from each action to each page; who has skipped a version has seen a later one instead."""
    found = []
    for one in crowd:
        for version, began in acted.items():
            later = [at for seen, at in one.seen.items() if seen >= version]
            if later:
                found.append(min(later) - began)
    return found
