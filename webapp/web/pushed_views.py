"""Views of shared tables that are pushed to pages: rendered once for all who see the same, sent as what has changed.

All watchers of a table who read the same language see the same; each seat has a view of its own. A stream is bound to
the viewer who opened it: if that viewer sits down, leaves, or is no longer who the cookie named, nothing more is
pushed, and the page asks for its own view.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import structlog
from flask import Flask, current_app, g, request, session

from webapp.services import players
from webapp.services.core.clock import now_ms
from webapp.services.tables.reading.facts import Snapshot
from webapp.services.tables.reading.snapshots import snapshot
from webapp.services.tables.versions import hub
from webapp.web.request import visitor
from webapp.web.request.language import language_of_request
from webapp.web.request.preferences import Preferences, preferences
from webapp.web.table_page import room_of, site_root
from webapp.web.templating.parts import Room

log = structlog.get_logger()

KEPT: Final = 4
"""Versions of which it is known what a view consisted of: a stream that is further behind is sent all of it."""
VIEWS: Final = 4_000
"""Views of which that is known."""
ROOMS: Final = 256
"""Views whose text is kept, those that were made last: about 40 KB each."""
LONGEST: Final = 9
"""Digits of a version."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """Who sees the same of a table: ``player`` for a seat, None for all watchers; and how it is written.

    ``root``: where links lead; ``url_root``: where the site is reached.
    """

    code: str
    player: str | None
    language: str
    preferences: Preferences
    root: str
    url_root: str


@dataclass(slots=True)
class Rendering:
    """A view of one version. ``holders``: who acts for a seat. ``session_number``: of the player whose view it is.

    ``marks`` tell its parts from those of other versions; ``room`` is kept for a while only. ``texts``: what has been
    sent, by the version before.
    """

    version: int
    now: int
    holders: frozenset[str]
    session_number: int | None
    marks: Mapping[str, bytes]
    room: Room | None
    texts: dict[int, str] = field(default_factory=dict)

    def forget_text(self) -> None:
        """Keep what is needed to tell what differs in a later version."""
        self.room, self.texts = None, {}


class Push:
    """What is pushed to one page. ``version`` is the last one that was sent, or that the page has had.

    Args:
        views: The views of the process.
        eyes: Who looks.
        player: The player who looks, if any.
        is_seated: The player has a seat.
        number: That of the player's sessions, as the cookie has named it.
        version: The version that the page has; 0 if that is not known.
    """

    def __init__(
        self, views: "PushedViews", eyes: Eyes, player: str | None, is_seated: bool, number: int, version: int
    ) -> None:
        self._views, self._eyes, self._player = views, eyes, player
        self._is_seated, self._number, self.version = is_seated, number, version

    async def changes(self, version: int) -> str | None:
        """Return what differs from the last version that was sent, as JSON.

        Return None if nothing is to be pushed: the page has that version, or has to ask for its own view.
        """
        if version <= self.version:
            return None
        latest = await self._views.rendering(self._eyes, version)
        if latest is None or not self._is_for(latest):
            return None
        text = self._views.text(self._eyes, latest, self.version)
        if text is not None:
            self.version = latest.version
        return text

    def _is_for(self, latest: Rendering) -> bool:
        """Return True while the viewer is who opened the stream, in a seat or in none as then."""
        if (self._player in latest.holders) != self._is_seated:
            return False
        return self._eyes.player is None or latest.session_number == self._number


class PushedViews:
    """The views that one process pushes.

    Args:
        app: The site.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = Lock()
        self._views: OrderedDict[Eyes, tuple[Rendering, ...]] = OrderedDict()
        self._rooms: OrderedDict[Eyes, Rendering] = OrderedDict()
        self._tasks: dict[tuple[int, Eyes], asyncio.Task[None]] = {}

    def to(self, table: Snapshot, player: str | None, since: str) -> Push:
        """Return what is pushed to the page that makes this request. ``since``: the version that it has."""
        is_seated = table.seat_of(player) is not None
        has_played = any(player in dict(round.nets) for round in table.past)
        eyes = Eyes(
            code=table.code,
            player=player if is_seated or has_played else None,
            language=language_of_request(),
            preferences=preferences(),
            root=site_root(),
            url_root=request.url_root,
        )
        version = int(since) if since.isascii() and since.isdigit() and len(since) <= LONGEST else 0
        return Push(self, eyes, player, is_seated, session.get(visitor.NUMBER, 0), version)

    async def rendering(self, eyes: Eyes, version: int) -> Rendering | None:
        """Return a view of a version or a later one; None if there is none to be had."""
        for _ in range(2):  # the first may be one that had begun before
            latest = self._latest(eyes)
            if latest is not None and latest.version >= version:
                return latest
            await self._render_once(eyes)
        latest = self._latest(eyes)
        return latest if latest is not None and latest.version >= version else None

    async def _render_once(self, eyes: Eyes) -> None:
        """Render a view in a thread; all who wait for the same view wait for one rendering."""
        key = (id(asyncio.get_running_loop()), eyes)
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(asyncio.to_thread(self._render, eyes))
            task.add_done_callback(lambda _task: self._tasks.pop(key, None))
        await asyncio.shield(task)

    def _render(self, eyes: Eyes) -> None:
        with _request_of(self._app, eyes):
            try:
                table = snapshot(eyes.code, hub().just_moved(eyes.code))
                room = room_of(table, eyes.player, eyes.root)
                rendering = Rendering(
                    version=table.version,
                    now=now_ms(),
                    holders=frozenset(seat.holder for seat in table.seats),
                    session_number=players.session_number(eyes.player) if eyes.player else None,
                    marks=room.marks(),
                    room=room,
                )
            except Exception as error:  # noqa: BLE001  # the page asks, and is told
                log.warning("view not pushed", table=eyes.code, error=type(error).__name__)
                return
        self._keep(eyes, rendering)

    def _keep(self, eyes: Eyes, rendering: Rendering) -> None:
        with self._lock:
            known = self._views.get(eyes, ())
            if known and known[-1].version >= rendering.version:
                return
            for earlier in known:
                earlier.forget_text()
            self._views[eyes] = (*known, rendering)[-KEPT:]
            self._views.move_to_end(eyes)
            self._rooms[eyes] = rendering
            self._rooms.move_to_end(eyes)
            while len(self._rooms) > ROOMS:
                _, oldest = self._rooms.popitem(last=False)
                oldest.forget_text()
            while len(self._views) > VIEWS:
                self._views.popitem(last=False)

    def _latest(self, eyes: Eyes) -> Rendering | None:
        with self._lock:
            known = self._views.get(eyes)
        return known[-1] if known else None

    def text(self, eyes: Eyes, latest: Rendering, sent: int) -> str | None:
        """Return what of a view differs from a version that was sent, as JSON; all of it if that is not known.

        Return None if the text of the view is not kept any more.
        """
        with self._lock:
            known = {each.version: each for each in self._views.get(eyes, ())}
            since = sent if sent in known else 0
            text, room = latest.texts.get(since), latest.room
        if text is None and room is not None:
            html = room.without(known[since].marks if since else {})
            said = {"version": latest.version, "since": since, "now": latest.now, "html": html}
            text = latest.texts[since] = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        return text


@contextmanager
def _request_of(app: Flask, eyes: Eyes) -> Iterator[None]:
    """Open a request of a viewer of whom nothing is known but what the view depends on."""
    with app.test_request_context(f"/t/{eyes.code}", base_url=eyes.url_root, headers={"HX-Request": "true"}):
        visitor.assume(eyes.player)
        g.language, g.preferences = eyes.language, eyes.preferences
        yield


def init_app(app: Flask) -> None:
    """Let the app push views."""
    app.extensions["pushed_views"] = PushedViews(app)


def pushed_views() -> PushedViews:
    """Return the views that the current app pushes."""
    views: PushedViews = current_app.extensions["pushed_views"]
    return views
