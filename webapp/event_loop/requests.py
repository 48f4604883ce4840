"""Reading of requests: the body is read completely, within limits of time and size, before a thread is used."""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from webapp.config import MAX_BODY_BYTES

CLIENT_SECONDS: Final = 10
"""Seconds for receiving the head of a request, for receiving its body, and for a client to read more of an answer."""
CUT_OFF: Final = "tefuda.cut_off"
"""Key in the ASGI scope, set if the client has closed its side before all of the request was received."""
TAKE_OVER: Final = "tefuda.take_over"
"""Key in the ASGI scope of a function that sends an event stream in place of the answer (see ``protocol``)."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Incomplete(Exception):
    """The body of a request was not received in time, or not completely."""


class TooLong(Exception):
    """The body is longer than any form of the site. ``length``: its length, or as much of it as was read."""

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length


def names_one_host(scope: Scope) -> bool:
    """Return False for a request with several Host headers, or with none in HTTP/1.1 (RFC 9112, 3.2).

    A proxy might take another of them than the site does.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    needs_one: bool = scope["http_version"] != "1.0"
    return len(hosts) == 1 or not (hosts or needs_one)


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        Incomplete: It was not received in time, or not completely.
        TooLong: It is too long, and has not been read to its end.
    """
    length = _length(scope)
    if length == 0:
        return b""
    if length is not None and length > MAX_BODY_BYTES:
        raise TooLong(length)
    try:
        async with asyncio.timeout(CLIENT_SECONDS):
            return await _read(scope, receive)
    except TimeoutError as error:
        raise Incomplete from error


async def _read(scope: Scope, receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Incomplete
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise TooLong(len(body))
        if not message.get("more_body", False):
            return bytes(body)
        if scope.get(CUT_OFF):
            raise Incomplete


def _length(scope: Scope) -> int | None:
    """Return the length of the body, None for chunked encoding. The parser has refused lengths that are no numbers."""
    length = 0
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            length = int(value)
    return length


def environ_of(scope: Scope, body: bytes, length: int | None = None) -> dict[str, Any]:
    """Return the WSGI environment of a request. ``length``: that of a body that was not read.

    Headers with an underscore in their names are left out: WSGI cannot tell them from those with a hyphen, and a proxy
    that overwrites ``X-Forwarded-For`` forwards ``X_Forwarded_For`` unchanged.
    """
    server, client = scope.get("server") or ("localhost", 80), scope.get("client")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": str(server[0]),
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": str(client[0]) if client else "",
        "REMOTE_PORT": str(client[1]) if client else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name or raw_name in (b"content-length", b"transfer-encoding"):
            continue
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        environ[key] = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}" if key in environ else value
    length = len(body) if length is None else length
    if length or scope["method"] == "POST":
        environ["CONTENT_LENGTH"] = str(length)
    return environ
