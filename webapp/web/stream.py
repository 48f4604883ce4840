"""The event stream of a shared table: the view of its page when it has changed, and small news beside it.

Each change is one message without a name: an ``hx-partial`` for each part of the room that differs from what the page
has. Events with a name follow, for programs and for what is no part of the room: ``moved`` with the version,
``watching`` with a number of people, ``reaction``, ``beat``; ``newer`` if the player has come to the table by a newer
page, which plays; ``full`` and ``end`` when the stream ends.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

import structlog
from flask import Response

from webapp.services.core.clock import now_ms
from webapp.services.core.randomness import jitter
from webapp.services.tables.follower import Follower
from webapp.services.tables.hub import Hub
from webapp.web.push import Push

log = structlog.get_logger()

BEAT_SECONDS: Final = 10.0
"""Seconds between two beats of a stream, by which a page learns that its connection is alive, and what time it is."""
UNREAD_SECONDS: Final = 60.0
"""Seconds after which a stream is ended whose client reads nothing."""
RECONNECT_AFTER: Final = 2000
"""Milliseconds after which a page reconnects whose connection has broken."""
BACK_AFTER: Final = 500
BACK_WITHIN: Final = 2500
"""Milliseconds after which the page of an ended stream reconnects: a random time, so that not all do so at once."""
FULL_AFTER: Final = 30_000
"""Milliseconds after which a client reconnects that does not understand that it is to poll."""


def stream_head() -> Response:
    """Return the headers of the answer. Its lines are sent by the event loop."""
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


class TableStream:
    """The stream of one page. It keeps no request, session or database connection.

    Args:
        hub: The hub of the process.
        follower: The page, as the hub knows it.
        push: The view that is pushed; None for a page or program that only follows versions.
    """

    def __init__(self, hub: Hub, follower: Follower, push: Push | None) -> None:
        self._hub, self._follower, self._push = hub, follower, push
        self._version, self._watching, self._reaction, self._newest = -1, -1, 0, 0
        """What was told last."""
        self._is_beat_due = False
        self._sending_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def pieces(self) -> AsyncIterator[bytes]:
        """Return the current state of the table, and its changes when they are published.

        Whoever reads slowly is sent what is new by then, and not each version.
        """
        self._follower.begin()
        self._start_timer()
        while self._follower.ending is None:
            try:
                text = await self._news()
            except Exception:  # it must not hold up other streams; its page reconnects
                log.exception("event stream failed")
                return
            finally:
                self._follower.pass_on()
            if text:
                self._sending_since = time.monotonic()
                yield text
                self._sending_since = None
            del text  # the next one may come in an hour
            await self._follower.news()
        self._follower.pass_on()
        if self._follower.ending == "full":
            yield _event("full", "poll", FULL_AFTER)
        elif self._follower.ending == "again":
            yield _event("end", "again", BACK_AFTER + int(jitter(BACK_WITHIN)))

    def close(self) -> None:
        """End the stream: its client has disconnected, or reads nothing."""
        self._hub.leave(self._follower)
        self._follower.wake()
        if self._timer is not None:
            self._timer.cancel()

    def _start_timer(self) -> None:
        """Set a timer for the next beat; one for all waiting would be set for each message."""
        self._timer = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def _beat(self) -> None:
        if self._sending_since is not None and time.monotonic() - self._sending_since > UNREAD_SECONDS:
            self.close()
            return
        self._start_timer()
        self._is_beat_due = True
        self._follower.wake()

    async def _news(self) -> bytes:
        """Return what is new, in one piece: each costs a system call."""
        hub, code, version, events = self._hub, self._follower.code, self._follower.version, list[bytes]()
        if version > self._version:
            if self._push is not None and (pushed := await self._push.message(version)) is not None:
                version, message = pushed
                events.append(message)
            events.append(_event("moved", str(version), RECONNECT_AFTER if self._version < 0 else None))
            self._version = version
        count = hub.watching(code)
        if count != self._watching:
            self._watching = count
            events.append(_event("watching", str(count)))
        for reaction in hub.reactions.recent(code, after=self._reaction):
            self._reaction = reaction.number
            events.append(_event("reaction", f"{reaction.seat} {reaction.kind} {reaction.word}"))
        newest = hub.newest_page(code, self._follower.player) if self._follower.opened else 0
        if newest > max(self._follower.opened, self._newest):
            self._newest = newest
            events.append(_event("newer", str(newest)))
        if self._is_beat_due:
            self._is_beat_due = False
            events.append(_event("beat", str(now_ms())))
        return b"".join(events)


def _event(name: str, content: str, retry: int | None = None) -> bytes:
    again = "" if retry is None else f"retry: {retry}\n"
    return f"{again}event: {name}\ndata: {content}\n\n".encode()
