"""Event streams without a server: opened through Flask's test client, and sent to them as the event loop would."""

import asyncio
import zlib
from contextlib import ExitStack
from typing import Any

from flask.testing import FlaskClient

from webapp.event_loop import handover
from webapp.services.core.clock import now_ms
from webapp.services.tables.live.pubsub import Hub


def new_hub(database_url: str = "sqlite://", most: int = 10_000) -> Hub:
    """Return a hub that belongs to no app."""
    return Hub(ExitStack, database_url, most, now_ms)


class OpenStream:
    """The event stream of a page. Only if ``status_code`` is 200 is there anything to read.

    ``sent``: every byte received so far, decompressed. ``at_once``: pieces sent without resuming the stream's reader.
    ``is_slow``: refuse those, as for a client that has not read what was sent before.
    ``coding``: the Accept-Encoding header of the page.
    """

    def __init__(
        self, client: FlaskClient, code: str, page: str = "", since: int | None = None, coding: str = "", **options: Any
    ) -> None:
        environ: dict[str, Any] = {}
        self._handover = handover.offer(environ)
        query = {**({"page": page} if page else {}), **({} if since is None else {"since": str(since)})}
        if coding:
            options["headers"] = {**options.get("headers", {}), "Accept-Encoding": coding}
        self.answer = client.get(f"/t/{code}/events", query_string=query, environ_overrides=environ, **options)
        self.status_code = self.answer.status_code
        self._lines = self._handover.open_lines(self._receive) if self._handover.open_lines else None
        self._runner = asyncio.Runner()
        self._reading: asyncio.Task[None] | None = None
        self._pieces = asyncio.Queue[bytes | None]()
        self._events: list[str] = []
        self.sent, self.at_once, self.is_slow = b"", 0, False
        self._unpacker = zlib.decompressobj(31) if self.answer.content_encoding == "gzip" else None

    def __next__(self) -> str:
        """Return the next event; blocks until there is one."""
        while not self._events:
            sent = self._runner.run(self._next_piece())
            text = self._unpacker.decompress(sent) if self._unpacker else sent
            self.sent += text
            self._events += text.decode().split("\n\n")[:-1]
        return self._events.pop(0) + "\n\n"

    def until(self, word: str) -> str:
        """Read until this text has been received; return all that was read."""
        said = ""
        while word not in said:
            said += next(self)
        return said

    def is_silent_for(self, seconds: float) -> bool:
        """Return True if nothing is sent within this time; otherwise read what is."""
        try:
            self._runner.run(asyncio.wait_for(self._next_piece(), seconds))
        except TimeoutError:
            return True
        return False

    @property
    def kept(self) -> list[bytes]:
        """What the variables of the stream's generator hold of its text."""
        assert self._lines is not None
        return [kept for kept in self._lines.ag_frame.f_locals.values() if isinstance(kept, bytes) and kept]

    def close(self) -> None:
        """Close the stream, as a page does that is left."""
        self._handover.end()
        self._runner.run(self._end())
        self._runner.close()

    def _receive(self, piece: bytes) -> bool:
        if self.is_slow:
            return False
        self.at_once += 1
        self._pieces.put_nowait(piece)
        return True

    async def _next_piece(self) -> bytes:
        assert self._lines is not None, self.answer.text
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(self._lines))
        piece = await self._pieces.get()
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def _read(self, lines: handover.Lines) -> None:
        async for piece in lines:
            self._pieces.put_nowait(piece)
        self._pieces.put_nowait(None)

    async def _end(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        if self._lines is not None:
            await self._lines.aclose()
