"""Event streams without a server: opened through Flask's test client, and read as the event loop would send them."""

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

    ``sent``: every byte received so far, decompressed.
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
        self._runner = asyncio.Runner()
        self._events: list[str] = []
        self.sent = b""
        self._unpacker = zlib.decompressobj(31) if self.answer.content_encoding == "gzip" else None

    def __next__(self) -> str:
        """Return the next event; blocks until there is one."""
        lines = self._handover.lines
        assert lines is not None, self.answer.text
        if not self._events:
            sent = self._runner.run(anext(lines))
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

    def close(self) -> None:
        """Close the stream, as a page does that is left."""
        self._handover.end()
        if self._handover.lines is not None:
            self._runner.run(self._handover.lines.aclose())
        self._runner.close()
