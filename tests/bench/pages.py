"""Rendering time of pages: with and without each override of Jinja, and of a finished hand with and without its review.

The benchmark fails if an override saves less than its lines are worth, or if a stored review slows down the page of a
hand too much.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import structlog
from flask import Flask
from flask.templating import Environment
from flask.testing import FlaskClient
from jinja2.ext import _gettext_alias, _make_new_gettext
from jinja2.runtime import Context, Macro
from markupsafe import Markup
from sqlalchemy import delete, insert

from tests.bench.table import Row, show
from tests.bench.weights import sit_and_deal
from tests.support.app import close, make_app, migrate
from webapp.engine.games import GAMES
from webapp.engine.notation import loads
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import VERSION, review
from webapp.engine.odds.value import MemoryStore
from webapp.extensions import db
from webapp.models import Review
from webapp.web.i18n import translations
from webapp.web.templating.jinja_calls import DirectContext
from webapp.web.templating.jinja_globals import SharedGlobalsContext

WORTH: Final = 0.05
"""Share of the time without it that an override must save on average; a quiet machine shows twice as much."""
REVIEWED: Final = 1.3
"""Most time that opening a finished hand with a stored review may take, of one without."""
USUAL: Final = range(2, 5)
"""Decisions of the hands that are opened."""
TURNS: Final = 30
REQUESTS: Final = 20
LANGUAGE: Final = {"Accept-Language": "ja"}


class _NamesAllGlobals(DirectContext):
    __init__ = Context.__init__


def _without_shared_globals(app: Flask) -> None:
    app.jinja_env.__class__, app.jinja_env.context_class = Environment, _NamesAllGlobals
    app.jinja_env.cache.clear()  # type: ignore[union-attr]


def _without_macro_cache(app: Flask) -> None:
    def made_anew(macro: Macro, *args: object, **kwargs: object) -> Markup:
        return Markup(macro(*args, **kwargs))  # noqa: S704

    app.jinja_env.globals["kept"] = made_anew


def _without_direct_calls(app: Flask) -> None:
    app.jinja_env.context_class = SharedGlobalsContext
    app.jinja_env.globals.update(gettext=_make_new_gettext(translations.gettext), _=_gettext_alias)


OVERRIDES: Final[Mapping[str, Callable[[Flask], None]]] = {
    "jinja_globals": _without_shared_globals,
    "macro_cache": _without_macro_cache,
    "jinja_calls": _without_direct_calls,
}


def measure() -> list[Row]:
    rows = [_compared(name, without) for name, without in OVERRIDES.items()]
    show(f"Share of a page's time that an override saves (at least {WORTH:.0%})", rows)
    poor = [str(row["override"]) for row in rows if float(row["mean"]) < WORTH]
    if poor:
        raise SystemExit(f"no longer worth it: {', '.join(poor)}")
    return [*rows, *_reviewed()]


def _reviewed() -> list[Row]:
    """Request finished hands with and without a review, alternately."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-"))
        app = make_app(f"sqlite:///{folder}/room.sqlite3", Path(folder))
        stack.callback(close, app)
        migrate(app)
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        client = app.test_client()
        rows = [_reviewed_hand(app, client, code) for code in ("poker", "blackjack")]
    show(f"Opening a finished hand with a stored review (at most {REVIEWED} times one without)", rows)
    slow = [str(row["game"]) for row in rows if float(row["times"]) > REVIEWED]
    if slow:
        raise SystemExit(f"reviews make pages too slow: {', '.join(slow)}")
    return rows


def _reviewed_hand(app: Flask, client: FlaskClient, code: str) -> Row:
    key = _decided(client, code)
    line = loads(client.get(f"/h/{key}.json").json["notation"])  # type: ignore[index]
    told = review(GAMES[code], odds_of(GAMES[code]), line.setup, line.moves, MemoryStore())
    stored = {"key": key, "version": VERSION, "document": json.dumps(told), "at": 1}

    def seconds(has_review: bool) -> float:
        with app.app_context():
            db.session.execute(delete(Review))
            if has_review:
                db.session.execute(insert(Review), [stored])
            db.session.commit()
        return _seconds(client, f"/h/{key}")

    seconds(True)
    times = statistics.median(seconds(True) / seconds(False) for _ in range(TURNS))
    return {"game": code, "decisions": len(told["decisions"]), "times": times}


def _decided(client: FlaskClient, code: str) -> str:
    """Play hands until one with a usual number of decisions is over; return its key."""
    while True:
        player = sit_and_deal(client, code)
        while not player.over:
            player.do(player.actions[0])
        if player.board["step"] in USUAL:
            return player.hand


def _compared(name: str, without: Callable[[Flask], None]) -> Row:
    with ExitStack() as stack:
        ours, pages = _room(stack)
        others, other_pages = _room(stack, without)
        saved = [
            statistics.median(1 - _seconds(ours, page) / _seconds(others, other) for _ in range(TURNS))
            for page, other in zip(pages, other_pages, strict=True)
        ]
    names = ("poker", "blackjack", "shared table")
    return {"override": name, **dict(zip(names, saved, strict=True)), "mean": statistics.mean(saved)}


def _room(stack: ExitStack, change: Callable[[Flask], None] = lambda app: None) -> tuple[FlaskClient, list[str]]:
    """Return a test client and addresses of pages with hands in play."""
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-"))
    app = make_app(f"sqlite:///{folder}/room.sqlite3", Path(folder))
    stack.callback(close, app)
    migrate(app)
    change(app)
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    client = app.test_client()
    for code in ("poker", "blackjack"):
        sit_and_deal(client, code)
    table = client.post("/tables", data={"bot": "1"}).headers["Location"].removeprefix("http://localhost")
    return client, ["/play/poker", "/play/blackjack", table]


def _seconds(client: FlaskClient, page: str) -> float:
    began = time.process_time()
    for _ in range(REQUESTS):
        assert client.get(page, headers=LANGUAGE).status_code == 200
    return time.process_time() - began
