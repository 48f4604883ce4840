"""Views of shared tables that are pushed to pages: rendered once for all who see the same, and sent as a difference.

All watchers of a table with the same language and preferences share a view; each seat has its own. A stream is bound to
the viewer who opened it: if that viewer sits down, leaves, or ends the session, nothing more is pushed, and the page
requests its view itself.
"""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final

import structlog
from cachetools import FIFOCache
from flask import Flask, current_app, g
from werkzeug.test import create_environ

from webapp.services import players
from webapp.services.tables.facts import Snapshot
from webapp.services.tables.snapshots import snapshot
from webapp.services.tables.versions import hub
from webapp.web.i18n.translations import use_language
from webapp.web.request import visitor
from webapp.web.request.language import language_of_request
from webapp.web.request.preferences import Preferences, preferences
from webapp.web.request.proxies import site_root
from webapp.web.table_page import room_of
from webapp.web.templating.parts import Room

log = structlog.get_logger()

VIEWS: Final = 512
"""Views that are kept, those that changed last: about 40 KB each."""
MOST_ATTEMPTS: Final = 3
"""Attempts to render a version before the page is told to request it: a rendering may have begun too early."""
LONGEST: Final = 9
"""Maximum number of digits of a version."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """All that a view of a table depends on, besides its version. Viewers with equal viewpoints share one rendering.

    ``player``: that of a seat, None for watchers. ``preferences``: those that the room depends on, not those of the
    page around it. ``root``: beginning of the site's addresses.
    """

    code: str
    player: str | None
    language: str
    preferences: Preferences
    root: str


@dataclass(slots=True)
class View:
    """A view of one version.

    ``holders``: players who act for a seat. ``session_number``: of the viewpoint's player. ``marks``: hashes of the
    parts. ``before``: the version before, if it was rendered; else 0. ``changes``: the message for pages that have it.
    """

    version: int
    holders: frozenset[str]
    session_number: int | None
    room: Room
    marks: Mapping[str, int]
    before: int = 0
    changes: bytes = b""
    _whole: bytes = b""

    def compare(self, earlier: "View") -> None:
        """Make the message for pages that have the version before.

        Not for those that have an earlier one: they may have been answered with one in between, which was not pushed.
        """
        if earlier.version == self.version - 1:
            self.before, self.changes = earlier.version, self._message(earlier.marks)

    def message(self, has: int) -> bytes:
        """Return the message for a page that has this version: what differs, or all if that is not known."""
        if has and has == self.before:
            return self.changes
        if not self._whole:
            self._whole = self._message({})
        return self._whole

    def _message(self, marks: Mapping[str, int]) -> bytes:
        swaps = self.room.swaps(marks, self.marks).replace("\r", "")
        lines = "".join(f"data: {line}\n" for line in swaps.split("\n"))
        return f"id: {self.version}\n{lines}\n".encode()


def view_of(table: Snapshot, room: Room, session_number: int | None) -> View:
    """Return the view of a table with these parts."""
    holders = frozenset(seat.holder for seat in table.seats)
    return View(table.version, holders, session_number, room, room.marks())


class Push:
    """The view that is pushed to one page. ``version``: the last one that was sent or that the page has loaded."""

    def __init__(
        self, views: "Views", viewpoint: Viewpoint, player: str | None, is_seated: bool, number: int, version: int
    ) -> None:
        self._views, self.viewpoint, self._player = views, viewpoint, player
        self._is_seated, self._number, self.version = is_seated, number, version

    async def message(self, version: int) -> tuple[int, bytes] | None:
        """Return this version or a later one, and the message with it.

        Return None if the page has it already, or has to request its view itself.
        """
        if version <= self.version:
            return None
        view = await self._views.view(self.viewpoint, version)
        if view is None or not self._is_for(view):
            return None
        has, self.version = self.version, view.version
        return view.version, view.message(has)

    def _is_for(self, view: View) -> bool:
        """Return True while the viewer has a seat, or none, as at first, and the session has not ended."""
        if (self._player in view.holders) != self._is_seated:
            return False
        return self.viewpoint.player is None or view.session_number == self._number


class Views:
    """The latest views of one process.

    Args:
        app: The site.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = Lock()
        self._latest: FIFOCache[Viewpoint, View] = FIFOCache(VIEWS)
        self._attempts: dict[tuple[AbstractEventLoop, Viewpoint], asyncio.Future[None]] = {}
        self._gathered: dict[tuple[AbstractEventLoop, str], tuple[list[Viewpoint], asyncio.Task[None]]] = {}
        """By table: viewpoints whose rendering has not begun. They share a look at the table."""
        self._answers: dict[Viewpoint, Future[None]] = {}
        """Views that requests render anyway, for their answers."""

    def to(self, table: Snapshot, player: str | None, since: str) -> Push:
        """Return the ``Push`` for the page that makes this request. ``since``: the version that it has loaded."""
        is_seated = table.seat_of(player) is not None
        has_played = player in table.returned or any(player in dict(round.nets) for round in table.past)
        viewpoint = viewpoint_of_request(table.code, player if is_seated or has_played else None)
        version = int(since) if since.isascii() and since.isdigit() and len(since) <= LONGEST else 0
        return Push(self, viewpoint, player, is_seated, visitor.session_number(), version)

    async def view(self, viewpoint: Viewpoint, version: int) -> View | None:
        """Return the view of this version or a later one; it is rendered once for all streams that need it.

        Return None if it cannot be rendered.
        """
        for _ in range(MOST_ATTEMPTS):
            view = self._latest.get(viewpoint)
            if view is not None and view.version >= version:
                return view
            await self._attempt(viewpoint)
        view = self._latest.get(viewpoint)
        return view if view is not None and view.version >= version else None

    async def _attempt(self, viewpoint: Viewpoint) -> None:
        """Have the view rendered, or wait until that is done which is being rendered."""
        loop = asyncio.get_running_loop()
        attempt = self._attempts.get((loop, viewpoint))
        if attempt is None:
            answer = self._answers.get(viewpoint)
            attempt = self._gather(loop, viewpoint) if answer is None else asyncio.wrap_future(answer)
            self._attempts[loop, viewpoint] = attempt
            attempt.add_done_callback(lambda _: self._attempts.pop((loop, viewpoint)))
        await asyncio.shield(attempt)  # a stream that is closed takes it from nobody else

    def _gather(self, loop: AbstractEventLoop, viewpoint: Viewpoint) -> asyncio.Task[None]:
        """Have a view rendered together with the others of its table that are asked for in this turn of the loop."""
        place = loop, viewpoint.code
        if place not in self._gathered:
            self._gathered[place] = [], loop.create_task(self._render_gathered(loop, viewpoint.code))
        viewpoints, task = self._gathered[place]
        viewpoints.append(viewpoint)
        return task

    async def _render_gathered(self, loop: AbstractEventLoop, code: str) -> None:
        viewpoints, _ = self._gathered.pop((loop, code))
        await loop.run_in_executor(None, self._render, code, viewpoints)

    @contextmanager
    def answering(self, code: str, player: str) -> Iterator[None]:
        """Have streams of a player wait for the answer to a command, since it contains the view that they need."""
        viewpoint, done = viewpoint_of_request(code, player), Future[None]()
        done.set_running_or_notify_cancel()
        self._answers[viewpoint] = done
        try:
            yield
        finally:
            if self._answers.get(viewpoint) is done:
                del self._answers[viewpoint]
            done.set_result(None)

    def keep_answer(self, table: Snapshot, player: str, room: Room) -> None:
        """Keep the view of a seat that was rendered for an answer, to be pushed as well."""
        if table.seat_of(player):
            self._keep(viewpoint_of_request(table.code, player), view_of(table, room, visitor.session_number()))

    def _render(self, code: str, viewpoints: Collection[Viewpoint]) -> None:
        """Render views of a table as it is now; called in a thread."""
        with _errors_logged():
            with self._app.app_context():
                table = snapshot(code, hub().just_moved(code))
                numbers = players.session_numbers({each.player for each in viewpoints if each.player})
            for viewpoint in viewpoints:
                with _errors_logged(), _request_of(self._app, viewpoint):
                    room = room_of(table, viewpoint.player, viewpoint.root)
                    self._keep(viewpoint, view_of(table, room, numbers.get(viewpoint.player or "")))

    def _keep(self, viewpoint: Viewpoint, view: View) -> None:
        with self._lock:
            earlier = self._latest.get(viewpoint)
            if earlier is not None and earlier.version >= view.version:
                return
            if earlier is not None:
                view.compare(earlier)
            self._latest[viewpoint] = view


def viewpoint_of_request(code: str, player: str | None) -> Viewpoint:
    """Return the viewpoint of the page that makes this request."""
    own = preferences()
    shown = Preferences(sound=own.sound, reactions=own.reactions)
    return Viewpoint(code, player, language_of_request(), shown, site_root())


@contextmanager
def _errors_logged() -> Iterator[None]:
    """Go on after an error: the pages request their views, and get it themselves."""
    try:
        yield
    except Exception as error:  # noqa: BLE001
        log.warning("view not pushed", error=type(error).__name__)


@contextmanager
def _request_of(app: Flask, viewpoint: Viewpoint) -> Iterator[None]:
    """Open a request context in which the view of a viewpoint can be rendered."""
    path = f"/t/{viewpoint.code}"
    environ = create_environ(path, base_url=viewpoint.root, headers={"HX-Request": "true"})
    with app.request_context(environ):
        visitor.assume(viewpoint.player)
        g.language, g.preferences = viewpoint.language, viewpoint.preferences
        with use_language(viewpoint.language):
            yield


def init_app(app: Flask) -> None:
    """Add the views to an app."""
    app.extensions["views"] = Views(app)


def views() -> Views:
    """Return the views of the current app."""
    found: Views = current_app.extensions["views"]
    return found
