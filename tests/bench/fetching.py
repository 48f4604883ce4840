"""Pages as they worked before updates were pushed: the stream announces a version, and each page fetches its view.

Their streams are opened without ``since``, to which the site pushes nothing. So the old design is measured beside the
new one in the same run. Views are fetched uncompressed, which costs the site less.
"""

import asyncio
import re
import time
from typing import Final

from tests.bench.crowd import Watcher
from tests.bench.table_people import SILENCE, Viewer

_MOVED: Final = re.compile(rb"event: moved\ndata: (\d+)\n")
_VERSION: Final = re.compile(rb'data-version="(\d+)"')
_LENGTH: Final = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


class FetchingViewer(Viewer):
    """A player's page that fetches each version."""

    async def listen(self) -> None:
        await self.fetch()
        reader, writer = await asyncio.open_connection(self.line.host, self.line.port)
        cookie = f"Cookie: {self.line.cookies}\r\n" if self.line.cookies else ""
        writer.write(f"GET /t/{self.code}/events HTTP/1.1\r\nHost: room\r\n{cookie}\r\n".encode())
        status, event = (await reader.readline()).decode(), ""
        if " 200 " not in status:
            writer.close()
            raise RuntimeError(f"no stream: {status.strip()}")
        try:
            while line := (await reader.readline()).decode():
                if line.startswith("event: "):
                    event = line.strip()[7:]
                elif line.startswith("data:"):
                    news = event == "moved" and int(line[5:]) > self.version
                    beat = event == "beat" and self.seated and time.perf_counter() - self.asked > SILENCE
                    if news or beat:
                        await self.fetch()
        finally:
            writer.close()


class FetchingWatcher(Watcher):
    """A watcher's page. It fetches one view at a time, and another one if the table has changed meanwhile."""

    def __init__(self, code: str, version: int, reads: bool = True) -> None:
        super().__init__(code, version, reads)
        self._newest = version
        self._fetch: _Fetch | None = None
        self._host, self._port = "", 0
        self._tasks = set[asyncio.Task[None]]()

    async def connect(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        await super().connect(host, port)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        head = f"GET /t/{self.code}/events HTTP/1.1\r\nHost: room\r\nAccept: text/event-stream\r\n\r\n"
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        if not self.opened.done():
            super().data_received(data)
            return
        versions = [int(version) for version in _MOVED.findall(data)]
        if max(versions, default=0) > self._newest:
            self._newest = max(versions)
            if self._fetch is None or not self._fetch.is_busy:
                task = asyncio.create_task(self._ask())
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _ask(self) -> None:
        if self._fetch is None or self._fetch.is_lost:
            fetch = self._fetch = _Fetch(self)
            await asyncio.get_running_loop().create_connection(lambda: fetch, self._host, self._port)
        self._fetch.ask()

    def take(self, version: int) -> None:
        """Show a fetched view."""
        self.version = max(version, self.version)
        self.seen.setdefault(self.version, time.perf_counter())
        self.missed += 1
        if self._newest > self.version and self._fetch:
            self._fetch.ask()

    def close(self) -> None:
        super().close()
        if self._fetch and self._fetch.transport:
            self._fetch.transport.abort()


class _Fetch(asyncio.Protocol):
    """The connection on which a page fetches views."""

    def __init__(self, page: FetchingWatcher) -> None:
        self._page = page
        self._heard = bytearray()
        self.transport: asyncio.Transport | None = None
        self.is_busy, self.is_lost = True, False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def ask(self) -> None:
        assert self.transport is not None
        self.is_busy, self._heard = True, bytearray()
        self.transport.write(
            f"GET /t/{self._page.code}?since={self._page.version} HTTP/1.1\r\nHost: room\r\nAccept: text/html\r\n"
            "HX-Request: true\r\nSec-Fetch-Site: same-origin\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, found, body = self._heard.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not found or len(body) < (int(length[1]) if length else 0):
            return
        self.is_busy = False
        version = _VERSION.search(body)
        if version:
            self._page.take(int(version[1]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_busy, self.is_lost = False, True
