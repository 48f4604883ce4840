"""A WSGI app that is asked in a bounded number of threads, and answers each request in one piece."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from webapp.event_loop.lanes import Courtesy, Full, Lane
from webapp.event_loop.turns import Turns
from webapp.ip_addresses import address_key

OF_AN_ADDRESS: Final = 192
"""Requests of one address that are worked on, and as many on their way: a class, half of which acts in the same
moment. Not limited where rate limits are off, nor behind a proxy, which all come from."""

_MANY: Final = "Too many requests at the same time."
_BUSY: Final = "Too many questions at the same time. Ask again in a moment."

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(slots=True)
class WholeAnswer:
    """An answer as the app has given it: no thread waits for a client to take it."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    seconds: float = 0.0
    """Processor time that it took."""


class WsgiThreads:
    """The threads in which an app answers. A request waits for its turn without one.

    Args:
        app: The WSGI app.
        threads: Threads at most.
        counts: Whether an address may only have so many requests at a time.
        lanes: Lanes of requests that wait for each other.
        at_once: Requests in no lane that are worked on without waiting for each other; as many as there are threads,
            if it is None. Where the database is near, one by one is faster (see ``turns``).
    """

    def __init__(
        self, app: WsgiApp, threads: int, counts: bool, lanes: Sequence[Lane] = (), at_once: int | None = None
    ) -> None:
        self._app, self._counts, self._lanes, self._courtesy = app, counts, lanes, Courtesy()
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._turns = Turns(self._executor, at_once or threads)
        self._working: Counter[str] = Counter()
        self._given: set[Future[WholeAnswer]] = set()

    @property
    def busy(self) -> int:
        """Number of requests that the threads have not answered yet, whether or not anybody waits for it."""
        return len(self._given)

    async def ask(self, environ: dict[str, Any]) -> WholeAnswer:
        """Return the answer to a request."""
        address = address_key(environ["REMOTE_ADDR"])
        if self._counts and self._working[address] >= OF_AN_ADDRESS:
            return _refused(environ, 429, "http-429", _MANY, 5)
        self._working[address] += 1
        try:
            lane = next((lane for lane in self._lanes if lane.takes(environ["PATH_INFO"])), None)
            return await (self._in_turn(environ) if lane is None else self._in_lane(environ, lane, address))
        except Full:
            return _refused(environ, 503, "unavailable", _BUSY, 2)
        finally:
            self._working[address] -= 1
            if not self._working[address]:
                del self._working[address]

    async def _in_turn(self, environ: dict[str, Any]) -> WholeAnswer:
        self._courtesy.others += 1
        try:
            return await self._answer_of(self._turns.submit(partial(self._answer, environ)))
        finally:
            self._courtesy.others -= 1

    async def _in_lane(self, environ: dict[str, Any], lane: Lane, address: str) -> WholeAnswer:
        async with lane.place(address if self._counts else ""):
            if lane.is_urgent:
                return await self._answer_of(self._executor.submit(self._answer, environ))
            await self._courtesy.turn()
            answer = await self._answer_of(self._executor.submit(self._answer, environ))
            self._courtesy.spent(answer.seconds)
            return answer

    async def _answer_of(self, given: Future[WholeAnswer]) -> WholeAnswer:
        self._given.add(given)
        given.add_done_callback(self._given.discard)
        return await asyncio.wrap_future(given)

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._turns.cancel()
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
    """Return a refusal that costs no thread: as JSON for a program, else as a line of text."""
    accepted = environ.get("HTTP_ACCEPT", "")
    is_program = "application/json" in accepted and "text/html" not in accepted
    text = json.dumps({"error": code, "message": sentence}) if is_program else sentence
    kind = b"application/json" if is_program else b"text/plain; charset=utf-8"
    return WholeAnswer(status, [(b"content-type", kind), (b"retry-after", b"%d" % seconds)], text.encode() + b"\n")
