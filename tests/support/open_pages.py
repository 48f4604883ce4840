"""Open pages of shared tables: one thread reads all their event streams and reopens those that end."""

import selectors
import socket
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from threading import Event, Thread
from urllib.parse import urlsplit

AGAIN = (0.5, 2.5)
"""Seconds until a page whose stream has ended opens another one."""


@dataclass
class OpenPage:
    """A page of a table with its event stream.

    ``show`` reopens the stream; ``hide`` closes it, as a sleeping phone does.
    """

    url: str
    request: bytes = b""
    line: socket.socket | None = None
    fresh: bool = False
    opens_at: float = 0
    heard: bytes = b""

    def show(self, code: str, version: int, cookies: dict[str, str]) -> None:
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        place = f"/t/{code}/events?page=p{id(self)}&since={version}"
        self.request = f"GET {place} HTTP/1.1\r\nHost: evening\r\nCookie: {cookie}\r\n\r\n".encode()
        self.fresh = True

    def hide(self) -> None:
        self.request, self.fresh = b"", True


@dataclass
class OpenPages:
    """All pages, read by one thread. ``told`` counts responses by status; 0 counts connections without a response."""

    again: tuple[float, float] = AGAIN
    told: Counter[int] = field(default_factory=Counter)
    bytes_read: int = 0

    def __post_init__(self) -> None:
        self._pages: list[OpenPage] = []
        self._stop, self._random = Event(), Random(21)
        self._selector = selectors.DefaultSelector()
        self._thread = Thread(target=self._run)

    def page(self, url: str) -> OpenPage:
        self._pages.append(OpenPage(url))
        return self._pages[-1]

    def __enter__(self) -> "OpenPages":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def open(self) -> int:
        """Number of streams that are open."""
        return sum(page.line is not None and page.heard.startswith(b"HTTP/1.1 200") for page in self._pages)

    def _run(self) -> None:
        while not self._stop.is_set():
            now = time.monotonic()
            for page in self._pages:
                if page.fresh:
                    page.fresh = False
                    self._end(page, now)
                if page.request and page.line is None and now >= page.opens_at:
                    self._begin(page)
            for key, _ in self._selector.select(0.2):
                self._read(key.data)
        for page in self._pages:
            self._end(page, 0)
        self._selector.close()

    def _begin(self, page: OpenPage) -> None:
        place = urlsplit(page.url)
        try:
            page.line, page.heard = socket.create_connection((place.hostname, place.port), timeout=5), b""
            self._selector.register(page.line, selectors.EVENT_READ, page)
            page.line.sendall(page.request)
        except OSError:
            self.told[0] += 1
            self._end(page, time.monotonic() + self._random.uniform(*self.again))

    def _read(self, page: OpenPage) -> None:
        if page.line is None:
            return
        try:
            piece = page.line.recv(65536)
        except OSError:
            piece = b""
        self.bytes_read += len(piece)
        if len(page.heard) < len("HTTP/1.1 200"):
            page.heard += piece[:20]
            self.told[int(page.heard[9:12] or 0)] += 1
        if not piece or not page.heard.startswith(b"HTTP/1.1 200"):
            self._end(page, time.monotonic() + self._random.uniform(*self.again))

    def _end(self, page: OpenPage, opens_at: float) -> None:
        if page.line is not None:
            if page.line in self._selector.get_map():
                self._selector.unregister(page.line)
            page.line.close()
        page.line, page.opens_at = None, opens_at
