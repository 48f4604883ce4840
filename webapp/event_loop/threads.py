"""A pool of threads that calls a WSGI app and buffers each of its answers, and does other tasks between them."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from webapp.event_loop.lanes import Lane, LaneFull, LaneThrottle
from webapp.event_loop.serial_executor import SerialExecutor
from webapp.ip_addresses import address_key

MOST_PER_ADDRESS: Final = 192
"""Requests of one address that may run or wait at a time, and as many that are still being received: enough for a class
of which half acts at once. Not limited if rate limits are off, nor behind a proxy, whose address all have."""

OTHERS_AT_ONCE: Final = 2
"""Tasks other than requests that run at a time, if requests do not wait for each other: the second one runs while the
first waits for the database."""

_MANY: Final = "Too many requests at the same time."
_BUSY: Final = "Too many questions at the same time. Ask again in a moment."

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(slots=True)
class WholeAnswer:
    """A complete answer of the app. It is buffered so that no thread waits for a slow client."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    seconds: float = 0.0
    """Processor time that the app has used for it."""


class WsgiThreads:
    """Calls a WSGI app in a bounded number of threads. A request that waits for its turn occupies no thread.

    Args:
        app: The WSGI app.
        threads: Maximum number of threads.
        counts: Whether the requests of each address are limited.
        lanes: Lanes of requests; each request belongs to the first one that matches, if any.
        at_once: Number of requests in no lane that run at a time; None for as many as there are threads. With a
            database on the same machine, one at a time is faster (see ``serial_executor``).
    """

    def __init__(
        self, app: WsgiApp, threads: int, counts: bool, lanes: Sequence[Lane] = (), at_once: int | None = None
    ) -> None:
        self._app, self._counts, self._lanes, self._throttle = app, counts, lanes, LaneThrottle()
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._serial_executor = SerialExecutor(self._executor, at_once or threads)
        self._other_tasks = self._serial_executor if at_once else SerialExecutor(self._executor, OTHERS_AT_ONCE)
        self._requests_of_address: Counter[str] = Counter()
        self._unanswered: set[Future[WholeAnswer]] = set()

    @property
    def busy(self) -> int:
        """Number of unanswered requests, including those whose client has disconnected."""
        return len(self._unanswered)

    async def ask(self, environ: dict[str, Any]) -> WholeAnswer:
        """Return the answer to a request."""
        address = address_key(environ["REMOTE_ADDR"])
        if self._counts and self._requests_of_address[address] >= MOST_PER_ADDRESS:
            return _refused(environ, 429, "http-429", _MANY, 5)
        self._requests_of_address[address] += 1
        try:
            lane = next((lane for lane in self._lanes if lane.matches(environ["PATH_INFO"])), None)
            return await (self._in_no_lane(environ) if lane is None else self._in_lane(environ, lane, address))
        except LaneFull:
            return _refused(environ, 503, "unavailable", _BUSY, 2)
        finally:
            self._requests_of_address[address] -= 1
            if not self._requests_of_address[address]:
                del self._requests_of_address[address]

    async def _in_no_lane(self, environ: dict[str, Any]) -> WholeAnswer:
        self._throttle.others += 1
        try:
            return await self._result(self._serial_executor.submit(partial(self._answer, environ)))
        finally:
            self._throttle.others -= 1

    async def _in_lane(self, environ: dict[str, Any], lane: Lane, address: str) -> WholeAnswer:
        async with lane.slot(address if self._counts else ""):
            if lane.is_urgent:
                return await self._result(self._executor.submit(self._answer, environ))
            await self._throttle.wait()
            answer = await self._result(self._executor.submit(self._answer, environ))
            self._throttle.used(answer.seconds)
            return answer

    async def _result(self, submitted: Future[WholeAnswer]) -> WholeAnswer:
        self._unanswered.add(submitted)
        submitted.add_done_callback(self._unanswered.discard)
        return await asyncio.wrap_future(submitted)

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Call a function in one of the threads, and return a future of its result.

        It waits for its turn like a request if requests are handled one after another. Called from the event loop.
        """
        return self._other_tasks.submit(work)

    def close(self) -> None:
        """Cancel all requests that have not started, without waiting for the others."""
        self._serial_executor.cancel()
        self._other_tasks.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _answer(self, environ: dict[str, Any]) -> WholeAnswer:
        answer, began = WholeAnswer(), time.thread_time()
        pieces: list[bytes] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[..., None]:
            answer.status = int(status[:3])
            answer.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            return pieces.append

        iterable = self._app(environ, start_response)
        try:
            pieces.extend(iterable)
        finally:
            if hasattr(iterable, "close"):
                iterable.close()
        answer.body = b"".join(pieces)
        answer.seconds = time.thread_time() - began
        return answer


def _refused(environ: dict[str, Any], status: int, code: str, sentence: str, seconds: int) -> WholeAnswer:
    """Return a refusal that is made without a thread: JSON for programs, otherwise a line of text."""
    accepted = environ.get("HTTP_ACCEPT", "")
    is_program = "application/json" in accepted and "text/html" not in accepted
    text = json.dumps({"error": code, "message": sentence}) if is_program else sentence
    kind = b"application/json" if is_program else b"text/plain; charset=utf-8"
    return WholeAnswer(status, [(b"content-type", kind), (b"retry-after", b"%d" % seconds)], text.encode() + b"\n")
