"""Many HTTP clients in one process, on plain sockets with a selector, so that they cost little beside the server."""

import selectors
import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from urllib.parse import urlencode, urlsplit
from zlib import MAX_WBITS, decompress

import brotli
from backports.zstd import decompress as unzstd

CLIENTS: Final = 32
BROWSER: Final = {
    "Host": "room",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en-US,en;q=0.5",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "Sec-Fetch-Site": "same-origin",
}
FRAGMENT: Final = {"HX-Request": "true", "HX-Target": "room"}
DECODERS: Final = {
    "": lambda body: body,
    "gzip": lambda body: decompress(body, 16 + MAX_WBITS),
    "br": brotli.decompress,
    "zstd": unzstd,
}


@dataclass(frozen=True)
class Answer:
    """A response. ``head`` and ``body`` are raw bytes; ``seconds`` is its latency."""

    head: bytes
    body: bytes
    seconds: float

    @property
    def status(self) -> int:
        return int(self.head[9:12])

    @cached_property
    def headers(self) -> list[tuple[str, str]]:
        """Headers, with names in lower case."""
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return [(name.lower(), value) for name, _, value in (line.partition(": ") for line in lines)]

    @property
    def cookies(self) -> dict[str, str]:
        pairs = (value.split(";")[0].partition("=") for name, value in self.headers if name == "set-cookie")
        return {name: value for name, _, value in pairs}

    @cached_property
    def text(self) -> str:
        return DECODERS[dict(self.headers).get("content-encoding", "")](self.body).decode()


def ask(
    path: str, fields: Mapping[str, str] | None = None, cookies: Mapping[str, str] | None = None, fragment: bool = True
) -> bytes:
    """Return a request as a browser sends it; with fields it is a POST."""
    headers = {**BROWSER, **(FRAGMENT if fragment else {})}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    body = b""
    if fields is not None:
        body = urlencode(fields).encode()
        headers |= {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))}
    lines = [f"{'GET' if fields is None else 'POST'} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join((*lines, "\r\n")).encode() + body


@dataclass
class _Client:
    """A keep-alive connection with one request at a time."""

    line: socket.socket
    number: int = -1
    asked_at: float = 0
    heard: bytearray = field(default_factory=bytearray)

    def ask(self, number: int, request: bytes) -> None:
        self.number, self.heard, self.asked_at = number, bytearray(), time.perf_counter()
        self.line.sendall(request)

    def hear(self) -> Answer | None:
        """Return the response when it is complete, else None."""
        piece = self.line.recv(65536)
        if not piece:
            raise ConnectionError(f"the server hung up after {bytes(self.heard[:200])!r}")
        self.heard += piece
        head, found, body = bytes(self.heard).partition(b"\r\n\r\n")
        if not found:
            return None
        answer = Answer(head, body, time.perf_counter() - self.asked_at)
        length = int(dict(answer.headers).get("content-length", 0))
        return answer if len(body) >= length else None


def storm(url: str, requests: Sequence[bytes], clients: int = CLIENTS) -> tuple[float, list[Answer]]:
    """Send all requests over ``clients`` connections. Return the total seconds, and the responses in order."""
    place = urlsplit(url)
    assert place.hostname
    assert place.port
    waiting = deque(enumerate(requests))
    answers: dict[int, Answer] = {}
    with selectors.DefaultSelector() as selector:
        crowd = [_Client(socket.create_connection((place.hostname, place.port), timeout=60)) for _ in range(clients)]
        began = time.perf_counter()
        for client in crowd[: len(waiting)]:
            client.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(client.line, selectors.EVENT_READ, client)
            client.ask(*waiting.popleft())
        while len(answers) < len(requests):
            heard = selector.select(timeout=60)
            if not heard:
                raise TimeoutError(f"no answer for a minute, after {len(answers)} of {len(requests)}")
            for key, _ in heard:
                client = key.data
                answer = client.hear()
                if answer is None:
                    continue
                answers[client.number] = answer
                if waiting:
                    client.ask(*waiting.popleft())
        seconds = time.perf_counter() - began
        for client in crowd:
            client.line.close()
    return seconds, [answers[number] for number in range(len(requests))]
