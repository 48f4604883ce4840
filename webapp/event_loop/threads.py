"""A WSGI app that is asked in a bounded number of threads, and answers each request in one piece."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from webapp.addresses import address_key

OF_AN_ADDRESS: Final = 192
"""Requests of one address that are worked on, and as many on their way: a class, half of which acts in the same
moment. Not limited where rate limits are off, nor behind a proxy, which all come from."""

_MANY: Final = b"Too many requests at the same time.\n"

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(slots=True)
class WholeAnswer:
    """An answer as the app has given it: no thread waits for a client to take it."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""


class WsgiThreads:
    """The threads in which an app answers. A request waits for its turn without one.

    Args:
        app: The WSGI app.
        threads: Threads at most.
        counts: Whether an address may only have so many requests at a time.
    """

    def __init__(self, app: WsgiApp, threads: int, counts: bool) -> None:
        self._app, self._counts = app, counts
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="request")
        self._working: Counter[str] = Counter()

    @property
    def busy(self) -> int:
        """Number of requests that have not been answered yet."""
        return self._working.total()

    async def ask(self, environ: dict[str, Any]) -> WholeAnswer:
        """Return the answer to a request."""
        address = address_key(environ["REMOTE_ADDR"])
        if self._counts and self._working[address] >= OF_AN_ADDRESS:
            return WholeAnswer(429, [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"5")], _MANY)
        self._working[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._answer, environ)
        finally:
            self._working[address] -= 1
            if not self._working[address]:
                del self._working[address]

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _answer(self, environ: dict[str, Any]) -> WholeAnswer:
        answer = WholeAnswer()
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
        return answer
