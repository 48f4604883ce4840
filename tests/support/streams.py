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

    ``sent``: every byte received so far, decompressed. ``is_slow``: read nothing until asked for the next event; the
    stream is told so by a refused piece (``refused``). ``coding``: the Accept-Encoding header of the page.
    """

    def __init__(
        self, client: FlaskClient, code: str, page: str = "", since: int | None = None, coding: str = "", **options: Any
    ) -> None:
        environ: dict[str, Any] = {}
        place = handover.offer(environ)
        query = {**({"page": page} if page else {}), **({} if since is None else {"since": str(since)})}
        if coding:
            options["headers"] = {**options.get("headers", {}), "Accept-Encoding": coding}
        self.answer = client.get(f"/t/{code}/events", query_string=query, environ_overrides=environ, **options)
        self.status_code = self.answer.status_code
        self._stream = place.take()
        self._runner = asyncio.Runner()
        self._pieces = asyncio.Queue[bytes | None]()
        self._events: list[str] = []
        self.sent, self.refused, self.is_slow = b"", 0, False
        self._has_begun = self._has_read = False
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

    def close(self) -> None:
        """Close the stream, as a page does that is left."""
        if self._stream is not None:
            self._stream.close()
        self._runner.close()

    # What the stream calls.

    def send(self, piece: bytes) -> bool:
        if self.is_slow and not self._has_read:
            self.refused += 1
            return False
        self._has_read = False
        self._pieces.put_nowait(piece)
        return True

    def finish(self, piece: bytes) -> None:
        self._pieces.put_nowait(piece)
        self._pieces.put_nowait(None)

    async def _next_piece(self) -> bytes:
        assert self._stream is not None, self.answer.text
        if not self._has_begun:
            self._has_begun = True
            self._stream.begin(self)
        while self.is_slow and self._pieces.empty():
            await asyncio.sleep(0.005)
            self._has_read = True
            self._stream.resume()
            self._has_read = False
        piece = await self._pieces.get()
        if piece is None:
            raise StopAsyncIteration
        return piece
