"""Views of shared tables that are pushed to pages: rendered once for all who see the same, sent as what has changed.

All watchers of a table who read the same language see the same; each seat has a view of its own. A stream is bound to
the viewer who opened it: if that viewer sits down, leaves, or is no longer who the cookie named, nothing more is
pushed, and the page asks for its own view.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial
from threading import Lock
from typing import Final

import structlog
from flask import Flask, current_app, g, request
from werkzeug.test import create_environ

from webapp.event_loop.stream_encoding import Message
from webapp.services import players
from webapp.services.tables.reading.facts import Snapshot
from webapp.services.tables.reading.snapshots import snapshot
from webapp.services.tables.versions import hub
from webapp.web.i18n.translations import use_language
from webapp.web.render_queue import RenderQueue, uncancellable
from webapp.web.rendering import Rendering, Viewpoint, rendered
from webapp.web.request import visitor
from webapp.web.request.language import language_of_request
from webapp.web.request.preferences import preferences
from webapp.web.table_page import room_of, site_root
from webapp.web.templating.parts import Room

log = structlog.get_logger()

VERSIONS_KEPT: Final = 4
"""Versions of which it is known what a view consisted of: a stream that is further behind is sent all of it."""
VIEWS: Final = 2_000
"""Views of which that is known, those that changed last: about 14 KB each."""
VIEW_MS: Final = 300_000
"""Milliseconds after which a view that has not changed is forgotten. Players who left have views of their own."""
ROOMS: Final = 256
"""Views whose text is kept, those that were made last: about 40 KB each."""
LONGEST: Final = 9
"""Digits of a version."""


class Push:
    """What is pushed to one page. ``version`` is the last one that was sent, or that the page has had.

    Args:
        views: The views of the process.
        viewpoint: Who looks.
        player: The player who looks, if any.
        is_seated: The player has a seat.
        number: That of the player's sessions, as the cookie has named it.
        version: The version that the page has; 0 if that is not known.
    """

    def __init__(
        self, views: "PushedViews", viewpoint: Viewpoint, player: str | None, is_seated: bool, number: int, version: int
    ) -> None:
        self._views, self._viewpoint, self._player = views, viewpoint, player
        self._is_seated, self._number, self.version = is_seated, number, version

    async def next_message(self, version: int) -> Message | None:
        """Return an event with what differs from the last version that was sent.

        Return None if nothing is to be pushed: the page has that version, or has to ask for its own view.
        """
        if version <= self.version:
            return None
        latest = await self._views.rendering(self._viewpoint, version)
        if latest is None or not self._is_for(latest):
            return None
        changes = self._views.message_since(self._viewpoint, latest, self.version)
        if changes is not None:
            self.version = latest.version
        return changes

    def _is_for(self, latest: Rendering) -> bool:
        """Return True while the viewer is who opened the stream, in a seat or in none as then."""
        if (self._player in latest.holders) != self._is_seated:
            return False
        return self._viewpoint.player is None or latest.session_number == self._number


class PushedViews:
    """The views that one process pushes.

    Args:
        app: The site.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = Lock()
        self._views: OrderedDict[Viewpoint, tuple[Rendering, ...]] = OrderedDict()
        self._rooms: OrderedDict[Viewpoint, Rendering] = OrderedDict()
        self._tried: dict[tuple[int, Viewpoint], list[asyncio.Future[None]]] = {}
        """By event loop and view: who waits until a rendering that was asked for was tried."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._queue = RenderQueue(self._render_all)
        self._answers: dict[Viewpoint, Future[None]] = {}

    def to(self, table: Snapshot, player: str | None, since: str) -> Push:
        """Return what is pushed to the page that makes this request. ``since``: the version that it has."""
        is_seated = table.seat_of(player) is not None
        has_played = player in table.returned or any(player in dict(round.nets) for round in table.past)
        viewpoint = _viewpoint_of_request(table.code, player if is_seated or has_played else None)
        version = int(since) if since.isascii() and since.isdigit() and len(since) <= LONGEST else 0
        return Push(self, viewpoint, player, is_seated, visitor.session_number(), version)

    # What a request renders anyway.

    @contextmanager
    def answering(self, code: str, player: str) -> Iterator[None]:
        """Let other pages of a player wait for the answer to a command: it may have the view that they want."""
        viewpoint, done = _viewpoint_of_request(code, player), uncancellable()
        self._answers[viewpoint] = done
        try:
            yield
        finally:
            if self._answers.get(viewpoint) is done:
                del self._answers[viewpoint]
            done.set_result(None)

    def keep_answer(self, table: Snapshot, player: str, room: Room) -> None:
        """Keep the view of a seat that was made for an answer, to be pushed as well."""
        number = visitor.session_number()
        if table.seat_of(player):
            self._keep(_viewpoint_of_request(table.code, player), rendered(table, room, number))

    # What has to be rendered.

    async def rendering(self, viewpoint: Viewpoint, version: int) -> Rendering | None:
        """Return a view of a version or a later one; None if there is none to be had."""
        for _ in range(3):  # the first may be an answer that has none, the second may have begun before
            latest = self._latest(viewpoint)
            if latest is not None and latest.version >= version:
                return latest
            await self._wait_for(viewpoint)
        latest = self._latest(viewpoint)
        return latest if latest is not None and latest.version >= version else None

    async def _wait_for(self, viewpoint: Viewpoint) -> None:
        """Wait for a rendering; all who wait for the same view wait for one."""
        loop = asyncio.get_running_loop()
        key, own = (id(loop), viewpoint), loop.create_future()
        waiting = self._tried.get(key)
        if waiting is None:
            waiting = self._tried[key] = []
            task = loop.create_task(self._try(key, waiting))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        waiting.append(own)
        await own

    async def _try(self, key: tuple[int, Viewpoint], waiting: "list[asyncio.Future[None]]") -> None:
        viewpoint = key[1]
        done = self._answers.get(viewpoint)
        if done is None:
            done = self._queue.ask(viewpoint)
            loop = asyncio.get_running_loop()
            loop.call_soon(self._queue.start, partial(loop.run_in_executor, None))
        try:
            await asyncio.wrap_future(done)
        finally:
            del self._tried[key]
            for one in waiting:
                if not one.done():  # a page that has left meanwhile
                    one.set_result(None)

    def _render_all(self, code: str, wanted: Iterable[Viewpoint]) -> Iterator[Viewpoint]:
        """Render views of one table, in a thread of the queue."""
        with self._app.app_context():
            table = snapshot(code, hub().just_moved(code))
            numbers = players.session_numbers({viewpoint.player for viewpoint in wanted if viewpoint.player})
        for viewpoint in wanted:
            try:
                with _request_of(self._app, viewpoint):
                    room = room_of(table, viewpoint.player, viewpoint.root)
                self._keep(viewpoint, rendered(table, room, numbers.get(viewpoint.player or "")))
            except Exception as error:  # noqa: BLE001  # the page asks, and is told
                log.warning("view not pushed", table=code, error=type(error).__name__)
            yield viewpoint

    def _keep(self, viewpoint: Viewpoint, rendering: Rendering) -> None:
        with self._lock:
            known = self._views.get(viewpoint, ())
            if known and known[-1].version >= rendering.version:
                return
            for earlier in known:
                earlier.forget_text()
            self._views[viewpoint] = (*known, rendering)[-VERSIONS_KEPT:]
            self._views.move_to_end(viewpoint)
            self._rooms[viewpoint] = rendering
            self._rooms.move_to_end(viewpoint)
            while len(self._rooms) > ROOMS:
                _, oldest = self._rooms.popitem(last=False)
                oldest.forget_text()
            while len(self._views) > VIEWS or self._is_first_view_older(rendering.now - VIEW_MS):
                self._views.popitem(last=False)
        if known:
            self.message_since(viewpoint, rendering, known[-1].version)  # here rather than in the event loop

    def _is_first_view_older(self, than: int) -> bool:
        first = next(iter(self._views.values()))
        return first[-1].now < than

    def _latest(self, viewpoint: Viewpoint) -> Rendering | None:
        with self._lock:
            known = self._views.get(viewpoint)
        return known[-1] if known else None

    def message_since(self, viewpoint: Viewpoint, latest: Rendering, sent: int) -> Message | None:
        """Return an event with what of a view differs from a version that was sent; all of it if that is not known.

        Return None if the text of the view is not kept any more.
        """
        changes = latest.sent.get(sent)
        if changes is not None:
            return changes
        with self._lock:
            known = {each.version: each for each in self._views.get(viewpoint, ())}
            since = sent if sent in known else 0
            changes, room = latest.sent.get(since), latest.room
        if changes is None and room is not None:
            changes = latest.sent[since] = latest.encode(room, known[since] if since else None)
        return changes


def _viewpoint_of_request(code: str, player: str | None) -> Viewpoint:
    return Viewpoint(code, player, language_of_request(), preferences(), site_root(), request.url_root)


@contextmanager
def _request_of(app: Flask, viewpoint: Viewpoint) -> Iterator[None]:
    """Open a request of a viewer of whom nothing is known but what the view depends on."""
    path = f"/t/{viewpoint.code}"
    with app.request_context({**_environ(viewpoint.url_root), "PATH_INFO": path, "REQUEST_URI": path, "RAW_URI": path}):
        visitor.assume(viewpoint.player)
        g.language, g.preferences = viewpoint.language, viewpoint.preferences
        with use_language(viewpoint.language):
            yield


@lru_cache(maxsize=64)
def _environ(url_root: str) -> dict[str, object]:
    """Return what all requests of viewers at one address have in common: to build it takes longer. bench: tables."""
    return create_environ(base_url=url_root, headers={"HX-Request": "true"})


def init_app(app: Flask) -> None:
    """Let the app push views."""
    app.extensions["pushed_views"] = PushedViews(app)


def pushed_views() -> PushedViews:
    """Return the views that the current app pushes."""
    views: PushedViews = current_app.extensions["pushed_views"]
    return views
