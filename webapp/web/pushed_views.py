"""Pushing of views of shared tables to pages: each view is rendered once for all its viewers, and sent as a difference.

All watchers of a table with the same language and preferences share a view; each seat has its own. A stream is bound to
the viewer who opened it: if that viewer sits down, leaves, or ends the session, nothing more is pushed, and the page
requests its view itself.
"""

import asyncio
from asyncio import AbstractEventLoop
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from threading import Lock
from typing import Final

import structlog
from flask import Flask, current_app, g, request
from werkzeug.test import create_environ

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
"""Versions of each view to which differences are known. A stream that is further behind is sent the whole view."""
VIEWS: Final = 2_000
"""Maximum number of such views, those that changed last: about 14 KB each."""
VIEW_MS: Final = 300_000
"""Milliseconds after which a view that has not changed is dropped: its player may have left."""
ROOMS: Final = 256
"""Maximum number of views whose HTML is kept, those that were rendered last: about 40 KB each."""
LONGEST: Final = 9
"""Maximum number of digits of a version."""


class Push:
    """The view that is pushed to one page. ``version``: the last one that was sent or that the page has loaded.

    Args:
        views: The views of the process.
        viewpoint: The viewpoint of the page.
        player: The player of the page, if any.
        is_seated: Whether the player has a seat.
        number: Number of the player's session, from the cookie.
        version: The version that the page has loaded; 0 if unknown.
    """

    def __init__(
        self, views: "PushedViews", viewpoint: Viewpoint, player: str | None, is_seated: bool, number: int, version: int
    ) -> None:
        self._views, self._viewpoint, self._player = views, viewpoint, player
        self._is_seated, self._number, self.version = is_seated, number, version

    def latest(self, version: int) -> Rendering | None:
        """Return the view of this version or a later one; None if it has not been rendered yet."""
        return self._views.latest(self._viewpoint, version)

    def render(self, attempted: Callable[[], None]) -> None:
        """Have the view rendered, and call a function in the event loop after the attempt."""
        self._views.render(self._viewpoint, attempted)

    def message(self, latest: Rendering) -> bytes | None:
        """Return an event with the difference to the last version that was sent.

        Return None if the page has to request its view itself.
        """
        if not self._is_for(latest):
            return None
        changes = self._views.message_since(self._viewpoint, latest, self.version)
        if changes is not None:
            self.version = latest.version
        return changes

    def _is_for(self, latest: Rendering) -> bool:
        """Return True while the viewer has a seat, or none, as at first, and the session has not ended."""
        if (self._player in latest.holders) != self._is_seated:
            return False
        return self._viewpoint.player is None or latest.session_number == self._number


class PushedViews:
    """The rendered views of one process.

    Args:
        app: The site.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = Lock()
        self._views: OrderedDict[Viewpoint, tuple[Rendering, ...]] = OrderedDict()
        self._rooms: OrderedDict[Viewpoint, Rendering] = OrderedDict()
        self._queue = RenderQueue(self._render_all)
        self._answers: dict[Viewpoint, Future[None]] = {}
        self._waiting: dict[tuple[AbstractEventLoop, Future[None]], list[Callable[[], None]]] = {}
        """By event loop and attempt to render: functions that are called when the attempt has ended."""
        self.in_thread: Callable[[Callable[[], None]], object] | None = None
        """Calls a function in a thread of the server; set by the server, and called from its event loop."""

    def to(self, table: Snapshot, player: str | None, since: str) -> Push:
        """Return the ``Push`` for the page that makes this request. ``since``: the version that it has loaded."""
        is_seated = table.seat_of(player) is not None
        has_played = player in table.returned or any(player in dict(round.nets) for round in table.past)
        viewpoint = _viewpoint_of_request(table.code, player if is_seated or has_played else None)
        version = int(since) if since.isascii() and since.isdigit() and len(since) <= LONGEST else 0
        return Push(self, viewpoint, player, is_seated, visitor.session_number(), version)

    # Views that requests render anyway.

    @contextmanager
    def answering(self, code: str, player: str) -> Iterator[None]:
        """Have streams of a player wait for the answer to a command, since it contains the view that they need."""
        viewpoint, done = _viewpoint_of_request(code, player), uncancellable()
        self._answers[viewpoint] = done
        try:
            yield
        finally:
            if self._answers.get(viewpoint) is done:
                del self._answers[viewpoint]
            done.set_result(None)

    def keep_answer(self, table: Snapshot, player: str, room: Room) -> None:
        """Keep the view of a seat that was rendered for an answer, to be pushed as well."""
        number = visitor.session_number()
        if table.seat_of(player):
            self._keep(_viewpoint_of_request(table.code, player), rendered(table, room, number))

    # Views that have to be rendered.

    def latest(self, viewpoint: Viewpoint, version: int) -> Rendering | None:
        """Return the latest rendering of a view; None if there is none of this version or a later one."""
        with self._lock:
            known = self._views.get(viewpoint)
        return known[-1] if known and known[-1].version >= version else None

    def render(self, viewpoint: Viewpoint, attempted: Callable[[], None]) -> None:
        """Attempt to render a view, once for all streams that need it.

        ``attempted`` is called afterwards, in the event loop, from which this is called as well.
        """
        loop = asyncio.get_running_loop()
        done = self._answers.get(viewpoint)
        if done is None:
            batch, is_new = self._queue.add(viewpoint)
            done = batch.done
            if is_new:  # after all streams that have been woken together have added their views
                in_thread = self.in_thread or partial(loop.run_in_executor, None)
                loop.call_soon(in_thread, partial(self._queue.render, batch))
        key = (loop, done)
        waiting = self._waiting.get(key)
        if waiting is None:
            waiting = self._waiting[key] = []
            done.add_done_callback(lambda _: self._resume_soon(key))
        waiting.append(attempted)

    def _resume_soon(self, key: tuple[AbstractEventLoop, Future[None]]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            key[0].call_soon_threadsafe(self._resume, key)

    def _resume(self, key: tuple[AbstractEventLoop, Future[None]]) -> None:
        for attempted in self._waiting.pop(key):
            attempted()

    def _render_all(self, code: str, wanted: Iterable[Viewpoint]) -> None:
        """Render views of one table; called in a thread."""
        with self._app.app_context():
            table = snapshot(code, hub().just_moved(code))
            wanted = [viewpoint for viewpoint in wanted if self.latest(viewpoint, table.version) is None]
            numbers = players.session_numbers({viewpoint.player for viewpoint in wanted if viewpoint.player})
        for viewpoint in wanted:
            try:
                with _request_of(self._app, viewpoint):
                    room = room_of(table, viewpoint.player, viewpoint.root)
                    self._keep(viewpoint, rendered(table, room, numbers.get(viewpoint.player or "")))
            except Exception as error:  # noqa: BLE001  # the page requests its view, and gets the error
                log.warning("view not pushed", table=code, error=type(error).__name__)

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
            self.message_since(viewpoint, rendering, known[-1].version)  # encode it here, not in the event loop

    def _is_first_view_older(self, than: int) -> bool:
        first = next(iter(self._views.values()))
        return first[-1].now < than

    def message_since(self, viewpoint: Viewpoint, latest: Rendering, sent: int) -> bytes | None:
        """Return an event with the difference between a view and the version ``sent``, or all of it if that is unknown.

        Return None if the HTML of the view has been dropped.
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
    return _viewpoint(code, player, language_of_request(), preferences(), site_root(), request.url_root)


_viewpoint: Final = lru_cache(maxsize=VIEWS)(Viewpoint)
"""Equal viewpoints are the same object, so that looking one up does not compare their fields. bench: tables"""


@contextmanager
def _request_of(app: Flask, viewpoint: Viewpoint) -> Iterator[None]:
    """Open a request context in which the view of a viewpoint can be rendered."""
    path = f"/t/{viewpoint.code}"
    with app.request_context({**_environ(viewpoint.url_root), "PATH_INFO": path, "REQUEST_URI": path, "RAW_URI": path}):
        visitor.assume(viewpoint.player)
        g.language, g.preferences = viewpoint.language, viewpoint.preferences
        with use_language(viewpoint.language):
            yield


@lru_cache(maxsize=64)
def _environ(url_root: str) -> dict[str, object]:
    """Return the WSGI environment that all such requests share. It is cached. bench: tables."""
    return create_environ(base_url=url_root, headers={"HX-Request": "true"})


def init_app(app: Flask) -> None:
    """Add the pushed views to an app."""
    app.extensions["pushed_views"] = PushedViews(app)


def pushed_views() -> PushedViews:
    """Return the pushed views of the current app."""
    views: PushedViews = current_app.extensions["pushed_views"]
    return views
