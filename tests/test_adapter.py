"""The ASGI app around a WSGI app, asked without a server."""

import asyncio
import sqlite3
import threading
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.player import Player
from tests.support.raw_clients import connect, read_until, send_request
from tests.support.server import Server
from webapp import adapter
from webapp.adapter import REFUSED, Adapter, BadBody, environ_of, read_body, streams_of
from webapp.config import MAX_BODY_BYTES

SECONDS = 30


def scope(*headers: tuple[str, str], path: bytes = b"/", method: str = "POST") -> dict[str, Any]:
    return {
        "type": "http",
        "method": method,
        "scheme": "http",
        "http_version": "1.1",
        "raw_path": path,
        "query_string": b"a=%C3%A9",
        "server": ("127.0.0.1", 8000),
        "client": ("192.0.2.7", 50_000),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
    }


def read(said: dict[str, Any], *parts: tuple[bytes, bool]) -> bytes:
    """Return the body that is read from these parts, pairs of data and ``more_body``; then the client disconnects."""
    messages = [{"type": "http.request", "body": body, "more_body": more} for body, more in parts]

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    return asyncio.run(read_body(said, receive))


def test_a_header_with_an_underscore_is_not_taken_for_the_one_with_a_hyphen() -> None:
    """A proxy overwrites X-Forwarded-For and passes X_Forwarded_For on."""
    said = scope(("X-Forwarded-For", "203.0.113.9"), ("X_Forwarded_For", "6.6.6.6"), ("Content_Length", "5"))
    environ = environ_of(said, b"")
    assert environ["HTTP_X_FORWARDED_FOR"] == "203.0.113.9"
    assert environ["CONTENT_LENGTH"] == "0"
    assert "6.6.6.6" not in environ.values()


def test_headers_that_come_twice_are_joined() -> None:
    environ = environ_of(scope(("Cookie", "a=1"), ("Cookie", "b=2"), ("Accept", "x"), ("Accept", "y")), b"")
    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "x,y")


def test_path_query_and_addresses_are_as_a_wsgi_app_expects_them() -> None:
    environ = environ_of(scope(("Host", "cards.example"), path=b"/t/%E6%9C%AD%ff"), b"body")
    assert environ["PATH_INFO"].encode("latin-1") == b"/t/\xe6\x9c\xad\xff"
    assert (environ["QUERY_STRING"], environ["REMOTE_ADDR"], environ["SERVER_PORT"]) == (
        "a=%C3%A9",
        "192.0.2.7",
        "8000",
    )
    assert (environ["CONTENT_LENGTH"], environ["wsgi.input"].read()) == ("4", b"body")


def test_a_body_is_read_to_its_end() -> None:
    assert read(scope(("Content-Length", "6")), (b"abc", True), (b"def", False)) == b"abcdef"
    assert read(scope(("Transfer-Encoding", "chunked")), (b"abc", True), (b"", False)) == b"abc"
    assert read(scope()) == b""


@pytest.mark.parametrize(
    ("headers", "parts", "status"),
    [
        ((("Content-Length", "6"),), [(b"abc", True)], 400),
        ((("Content-Length", str(MAX_BODY_BYTES + 1)),), [(b"x", False)], 413),
        ((("Transfer-Encoding", "chunked"),), [(bytes(MAX_BODY_BYTES), True), (b"x", True)], 413),
    ],
)
def test_half_a_body_and_one_that_is_too_long_are_none(
    headers: tuple[tuple[str, str], ...], parts: list[tuple[bytes, bool]], status: int
) -> None:
    with pytest.raises(BadBody) as refused:
        read(scope(*headers), *parts)
    assert refused.value.status == status


# -------------------------------------------------------------------------------------------------------------- streams


class Pieces:
    """A stream of these pieces, or of the first one and nothing more until it is closed."""

    def __init__(self, *pieces: bytes, stays: bool = False) -> None:
        self._pieces, self._stays, self._is_closed = list(pieces), stays, asyncio.Event()
        self.closed = 0

    async def pieces(self) -> AsyncIterator[bytes]:
        while self._pieces:
            yield self._pieces.pop(0)
        if self._stays:
            await self._is_closed.wait()

    def close(self) -> None:
        self.closed += 1
        self._is_closed.set()


async def stay() -> dict[str, Any]:
    """Receive nothing, for as long as a client listens."""
    await asyncio.sleep(60)
    return {"type": "http.disconnect"}


def app_with(stream: Pieces, status: str = "200 OK", seen: Callable[[dict[str, Any]], object] = id) -> Adapter:
    """Return an app that answers with this stream. ``seen`` is called with the environment of each request."""

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        seen(environ)
        streams = streams_of(environ)
        assert streams is not None
        streams.append(stream)
        start(status, [("Content-Type", "text/event-stream"), ("Content-Length", "0")])
        return []

    return Adapter(site, threads=1)


def test_a_stream_is_sent_piece_by_piece() -> None:
    stream, sent = Pieces(b"data: 1\n\n", b"data: 2\n\n"), list[dict[str, Any]]()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app_with(stream)(scope(("Host", "cards.example"), method="GET"), stay, send))
    assert [message.get("body") for message in sent] == [None, b"data: 1\n\n", b"data: 2\n\n", b""]
    assert [message.get("more_body") for message in sent] == [None, True, True, None]
    assert sent[0]["headers"] == [(b"content-type", b"text/event-stream"), (b"connection", b"close")]
    assert stream.closed


def test_a_stream_that_is_not_sent_is_closed() -> None:
    stream, sent = Pieces(b"data: 1\n\n"), list[dict[str, Any]]()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(app_with(stream, "500 Failed")(scope(method="GET"), stay, send))
    assert [message.get("status") for message in sent] == [500, None]
    assert stream.closed


def test_a_stream_is_closed_when_its_client_disconnects() -> None:
    stream, left = Pieces(b"data: 1\n\n", stays=True), asyncio.Event()

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message.get("body"):
            left.set()

    asyncio.run(asyncio.wait_for(app_with(stream)(scope(method="GET"), receive, send), SECONDS))
    assert stream.closed


def test_a_stream_that_waits_holds_nothing_of_its_request_and_of_what_it_has_sent() -> None:
    """Thousands of streams may wait for an hour, each with a view of its own, and browsers send two kilobytes."""
    freed = list[str]()
    bodies: list[weakref.ref[Any]] = []

    class Piece(bytes):
        def __del__(self) -> None:
            freed.append("piece")

    async def send(_message: dict[str, Any]) -> None:
        pass

    async def run() -> None:
        asking = asyncio.create_task(app(asked, stay, send))
        while not freed or bodies[0]() is not None:  # noqa: ASYNC110  # the thread lets go of it a moment later
            await asyncio.sleep(0.01)
        assert not asking.done()
        asking.cancel()
        await asyncio.wait([asking])

    asked = scope(("Host", "cards.example"), ("Cookie", "a=1"), method="GET")
    app = app_with(
        Pieces(Piece(b"data: x\n\n"), stays=True),
        seen=lambda environ: bodies.append(weakref.ref(environ["wsgi.input"])),
    )
    asyncio.run(asyncio.wait_for(run(), SECONDS))
    assert asked["headers"] == []


# -------------------------------------------------------------------------------------------------- more than it can do


def test_more_requests_than_may_wait_are_refused_by_the_site_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "MOST_WAITING", 3)
    goes_on, refused = threading.Event(), list[object]()

    def site(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        if REFUSED in environ:
            refused.append(environ[REFUSED])
        else:
            assert goes_on.wait(SECONDS)
        start("200 OK", [])
        return []

    async def send(_message: dict[str, Any]) -> None:
        pass

    async def run() -> None:
        asked = [asyncio.create_task(app(scope(method="GET"), stay, send)) for _ in range(5)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        while len(refused) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert app.unanswered >= 3
        goes_on.set()
        await asyncio.gather(*asked)
        await asyncio.sleep(0)
        assert app.unanswered == 0

    app = Adapter(site, threads=1)
    asyncio.run(asyncio.wait_for(run(), SECONDS))
    assert refused == [503, 503]


def test_a_full_house_says_so_in_the_words_and_the_language_of_the_page(
    serving: Callable[..., Server], tmp_path: Path
) -> None:
    site = serving(limits={"webapp.adapter.MOST_WAITING": 1}, TEFUDA_LAB_WORKERS="0")
    with closing(sqlite3.connect(tmp_path / "served" / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with connect(site) as line:
            send_request(line, "/play/poker", method="POST", headers="Content-Length: 0\r\n")
            visitor = Player(site.url)
            while visitor.get("/about").status == 200:
                pass
            program = visitor.get("/about", Accept="application/json")
            assert (program.status, program.json["error"]) == (503, "too-busy")
            assert program.headers["retry-after"]
            page = visitor.get("/about", Accept="text/html", Accept_Language="ja")
            assert page.status == 503
            assert '<html lang="ja"' in page.text
            other.execute("ROLLBACK")
            read_until(line, b"\r\n\r\n")
