"""Event streams without a server: opened through Flask's test client, and read as the event loop would."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

from flask.testing import FlaskClient

from webapp.adapter import offer_streams
from webapp.services.tables.hub import Hub


def new_hub(database_url: str = "sqlite://", most: int = 10_000) -> Hub:
    """Return a hub that belongs to no app."""
    return Hub(ExitStack, database_url, most)


class OpenStream:
    """The event stream of a page. Only if ``status_code`` is 200 is there anything to read.

    ``sent``: every byte received so far. Nothing is read until the next event is asked for.
    """

    def __init__(
        self, client: FlaskClient, code: str, page: str = "", since: int | None = None, **options: Any
    ) -> None:
        environ: dict[str, Any] = {}
        streams = offer_streams(environ)
        query = {**({"page": page} if page else {}), **({} if since is None else {"since": str(since)})}
        self.answer = client.get(f"/t/{code}/events", query_string=query, environ_overrides=environ, **options)
        self.status_code = self.answer.status_code
        self._stream = streams.pop() if streams else None
        self._pieces: AsyncIterator[bytes] | None = None
        self._next: asyncio.Task[bytes] | None = None
        self._runner = asyncio.Runner()
        self._events: list[str] = []
        self.sent = b""

    def __next__(self) -> str:
        """Return the next event; blocks until there is one."""
        while not self._events:
            piece = self._runner.run(self._next_piece())
            assert piece is not None, "the stream has ended"
            self._hear(piece)
        return self._events.pop(0) + "\n\n"

    def until(self, word: str) -> str:
        """Read until this text has been received; return all that was read."""
        said = ""
        while word not in said:
            said += next(self)
        return said

    def rest(self) -> str:
        """Read until the stream ends; return all that was read."""
        while (piece := self._runner.run(self._next_piece())) is not None:
            self._hear(piece)
        events, self._events = self._events, []
        return "".join(f"{event}\n\n" for event in events)

    def is_silent_for(self, seconds: float) -> bool:
        """Return True if nothing is sent within this time; otherwise read what is."""
        try:
            piece = self._runner.run(self._next_piece(seconds))
        except TimeoutError:
            return True
        if piece is not None:
            self._hear(piece)
        return False

    def close(self) -> None:
        """Close the stream, as a page does that is left."""
        if self._stream is not None:
            self._stream.close()
        self._runner.close()

    def _hear(self, piece: bytes) -> None:
        self.sent += piece
        self._events += piece.decode().split("\n\n")[:-1]

    async def _next_piece(self, seconds: float | None = None) -> bytes | None:
        """Return the next piece, None at the end. A piece that does not come in time is waited for the next time."""
        assert self._stream is not None, self.answer.text
        if self._pieces is None:
            self._pieces = self._stream.pieces()
        if self._next is None:
            self._next = asyncio.ensure_future(anext(self._pieces, None))  # type: ignore[arg-type]
        async with asyncio.timeout(seconds):
            piece = await asyncio.shield(self._next)
        self._next = None
        return piece
