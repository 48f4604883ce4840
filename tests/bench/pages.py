"""What the overrides save that the templates need: pages with and without each of them, in turns.

An override that saves less than it should is not worth its lines: this fails then.
"""

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
from jinja2.runtime import Macro
from markupsafe import Markup

from tests.bench.table import Row, show
from tests.bench.weights import sit_and_deal
from tests.support.app import close, make_app, migrate

WORTH: Final = 0.05
"""Share of the time without it that an override must save on average; a quiet machine shows twice as much."""
TURNS: Final = 30
REQUESTS: Final = 20
LANGUAGE: Final = {"Accept-Language": "ja"}


def _without_shared_globals(app: Flask) -> None:
    app.jinja_env.__class__ = Environment
    app.jinja_env.cache.clear()  # type: ignore[union-attr]


def _without_cached_macros(app: Flask) -> None:
    def made_anew(macro: Macro, *args: object, **kwargs: object) -> Markup:
        return Markup(macro(*args, **kwargs))  # noqa: S704

    app.jinja_env.globals["kept"] = made_anew


OVERRIDES: Final[Mapping[str, Callable[[Flask], None]]] = {
    "jinja_globals": _without_shared_globals,
    "cached_macro": _without_cached_macros,
}


def measure() -> list[Row]:
    rows = [_compared(name, without) for name, without in OVERRIDES.items()]
    show(f"Share of a page's time that an override saves (at least {WORTH:.0%})", rows)
    poor = [str(row["override"]) for row in rows if float(row["mean"]) < WORTH]
    if poor:
        raise SystemExit(f"no longer worth it: {', '.join(poor)}")
    return rows


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
    """A browser, and pages with hands in play."""
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
