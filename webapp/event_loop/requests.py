"""Requests as they come: read whole before a thread takes them, within a time and up to a size."""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from webapp.config import MAX_BODY_BYTES

CLIENT_SECONDS: Final = 10
"""Seconds in which the head of a request has to come, and its body; and a client has to take more of an answer."""
CUT: Final = "tefuda.cut"
"""Key in the scope of a request whose client has hung up before all of it had come."""
HOLD_LITTLE: Final = "tefuda.hold_little"
"""Key in the scope of what lets a connection hold little of an answer that its client does not take."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Incomplete(Exception):
    """The body of a request has not come, or not in time."""


class TooLong(Exception):
    """The body is longer than any form of the site. ``length`` is how long it says it is, at least."""

    def __init__(self, length: int) -> None:
        super().__init__(length)
        self.length = length


def names_one_host(scope: Scope) -> bool:
    """Return False for a request that a proxy and the site could take for two hosts', or for none's (RFC 9112, 3.2)."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    needs_one: bool = scope["http_version"] != "1.0"
    return len(hosts) == 1 or not (hosts or needs_one)


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        Incomplete: It has not come whole, or not in time.
        TooLong: It is not waited for.
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
        if scope.get(CUT):
            raise Incomplete


def _length(scope: Scope) -> int | None:
    """Return the length of the body, None if it comes in chunks. What is no number the parser has refused."""
    length = 0
    for name, value in scope["headers"]:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            length = int(value)
    return length


def environ_of(scope: Scope, body: bytes, length: int | None = None) -> dict[str, Any]:
    """Return the WSGI environment of a request. ``length``: of a body that has not been read.

    A header with an underscore in its name is left out: it would be taken for the one with a hyphen, and a proxy that
    overwrites ``X-Forwarded-For`` lets ``X_Forwarded_For`` pass.
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
