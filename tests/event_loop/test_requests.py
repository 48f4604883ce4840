"""The WSGI environment of a request, and the reading of its body."""

import asyncio
from typing import Any

import pytest

from webapp.config import MAX_BODY_BYTES
from webapp.event_loop.requests import CUT_OFF, Incomplete, TooLong, environ_of, read_body


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


def test_half_a_body_is_none() -> None:
    with pytest.raises(Incomplete):
        read(scope(("Content-Length", "6")), (b"abc", True))
    with pytest.raises(Incomplete):
        read({**scope(("Content-Length", "6")), CUT_OFF: True}, (b"abc", True), (b"def", False))


def test_a_body_that_is_too_long_is_not_read() -> None:
    with pytest.raises(TooLong) as refused:
        read(scope(("Content-Length", str(MAX_BODY_BYTES + 1))), (b"x", False))
    assert refused.value.length == MAX_BODY_BYTES + 1
    with pytest.raises(TooLong):
        read(scope(("Transfer-Encoding", "chunked")), (bytes(MAX_BODY_BYTES), True), (b"x", True))
