"""The ASGI app around the site: requests are read whole, answered by Flask in threads, and sent whole.

No thread waits for a client: it is taken when the request has been received, and freed before the answer is sent. A
view may leave an event stream behind (``streams_of``); it is sent by the event loop after the view has returned.
"""

import asyncio
import io
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from urllib.parse import unquote_to_bytes

from webapp.config import MAX_BODY_BYTES

CLIENT_SECONDS: Final = 10
"""Seconds for receiving the body of a request."""
LINGER_SECONDS: Final = 2
"""Seconds for which the rest of a refused body is read and discarded: a connection closed with unread data is reset,
and its client would not receive the answer."""
MOST_WAITING: Final = 1_000
"""Requests that may run or wait for a thread at a time; further ones are refused."""
STREAM_THREADS: Final = 2
"""Threads that open event streams. Thousands reconnect at once after a restart, and must not delay card actions."""
STREAMS_END: Final = "/events"
REFUSED: Final = "tefuda.refused"
"""Key in the WSGI environment of the status with which the site is to refuse a request, in its own words."""
_STREAMS: Final = "tefuda.streams"
_WITHOUT_BODY: Final = (204, 304)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Stream(Protocol):
    """An event stream. It must not keep a request, session or database connection."""

    def pieces(self) -> AsyncIterator[bytes]:
        """Return what is to be sent, until the stream ends or is closed. Called in the event loop."""

    def close(self) -> None:
        """End the stream: its client has disconnected, or was not sent it. Called in the event loop."""


def offer_streams(environ: MutableMapping[str, Any]) -> list[Stream]:
    """Let the view of this request leave streams in the list that is returned."""
    environ[_STREAMS] = streams = list[Stream]()
    return streams


def streams_of(environ: Mapping[str, Any]) -> list[Stream] | None:
    """Return the list to which the view of this request may add a stream; None if the server cannot send one."""
    streams: list[Stream] | None = environ.get(_STREAMS)
    return streams


class BadBody(Exception):
    """The body of a request is too long, or was not received in time or completely. ``status``: that of its refusal."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(slots=True)
class Answer:
    """A whole answer of the site. ``is_last``: whether the connection is to be closed after it."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    is_last: bool = False


class Adapter:
    """An ASGI app around a WSGI app.

    Args:
        app: The WSGI app.
        threads: Number of threads that answer requests.
        begin: Called once, in a thread, before the first request.
    """

    def __init__(self, app: WsgiApp, threads: int, begin: Callable[[], None] = lambda: None) -> None:
        self._app, self._begin = app, begin
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._stream_threads = ThreadPoolExecutor(STREAM_THREADS, thread_name_prefix="stream")
        self._refusing_thread = ThreadPoolExecutor(1, thread_name_prefix="refusal")
        self._asked = Counter[ThreadPoolExecutor]()
        """Requests that run or wait for a thread, including those whose client has disconnected."""

    @property
    def unanswered(self) -> int:
        """Number of requests that run or wait for a thread."""
        return self._asked.total()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await asyncio.to_thread(self._begin)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for threads in (self._threads, self._stream_threads, self._refusing_thread):
            threads.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            environ, is_last = environ_of(scope, await read_body(scope, receive)), False
        except BadBody as error:
            environ, is_last = environ_of(scope, b"") | {REFUSED: error.status}, True
        streams = offer_streams(environ)
        answer = await self._ask(environ)
        answer.is_last = is_last
        del environ  # a stream may last for hours
        if not streams or answer.status != 200:
            for stream in streams:
                stream.close()
            await _send(scope, receive, send, answer)
            return
        scope["headers"].clear()
        await _send_stream(receive, send, answer, streams.pop())

    async def _ask(self, environ: dict[str, Any]) -> Answer:
        threads = self._stream_threads if environ["PATH_INFO"].endswith(STREAMS_END) else self._threads
        if self._asked[self._threads] >= MOST_WAITING and threads is self._threads:
            environ.setdefault(REFUSED, 503)
        if REFUSED in environ:
            threads = self._refusing_thread
        self._asked[threads] += 1
        asked = asyncio.get_running_loop().run_in_executor(threads, _answer, self._app, environ)
        asked.add_done_callback(lambda _: self._asked.subtract((threads,)))
        return await asyncio.shield(asked)


def _answer(app: WsgiApp, environ: dict[str, Any]) -> Answer:
    """Ask the site, in a thread."""
    answer, pieces = Answer(), list[bytes]()

    def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[..., None]:
        answer.status = int(status[:3])
        answer.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return pieces.append

    iterable = app(environ, start_response)
    try:
        pieces.extend(iterable)
    finally:
        if hasattr(iterable, "close"):
            iterable.close()
    answer.body = b"".join(pieces)
    return answer


# ------------------------------------------------------------------------------------------------------------- sending


async def _send(scope: Scope, receive: Receive, send: Send, answer: Answer) -> None:
    headers = answer.headers
    if scope["method"] != "HEAD" and answer.status not in _WITHOUT_BODY:
        headers = [header for header in headers if header[0] != b"content-length"]
        headers.append((b"content-length", b"%d" % len(answer.body)))
    if answer.is_last:
        headers = [*headers, (b"connection", b"close")]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": answer.is_last})
    if answer.is_last:
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_SECONDS):
                while (await receive()).get("more_body", False):
                    pass
        await send({"type": "http.response.body", "body": b""})


async def _send_stream(receive: Receive, send: Send, answer: Answer, stream: Stream) -> None:
    """Send a stream until it ends or its client disconnects. Its end closes the connection."""
    leaving = asyncio.create_task(_close_on_disconnect(receive, stream))
    try:
        headers = [header for header in answer.headers if header[0] != b"content-length"]
        headers.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        del answer, headers
        async for piece in stream.pieces():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            del piece  # the next one may come in an hour
        await send({"type": "http.response.body", "body": b""})
    finally:
        leaving.cancel()
        stream.close()


async def _close_on_disconnect(receive: Receive, stream: Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


# ------------------------------------------------------------------------------------------------------------- reading


async def read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        BadBody: It is too long, or was not received in time or completely.
    """
    headers = dict(scope["headers"])
    length = int(headers.get(b"content-length", 0))
    if not length and b"transfer-encoding" not in headers:
        return b""
    if length > MAX_BODY_BYTES:
        raise BadBody(413)
    try:
        async with asyncio.timeout(CLIENT_SECONDS):
            return await _received(receive)
    except TimeoutError as error:
        raise BadBody(400) from error


async def _received(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadBody(400)
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise BadBody(413)
        if not message.get("more_body", False):
            return bytes(body)


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return the WSGI environment of a request.

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
    if body or scope["method"] == "POST":
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ
