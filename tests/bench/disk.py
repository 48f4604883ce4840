"""Disk space of a thousand finished hands of each game, in tables and indexes."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import structlog
from flask import Flask
from sqlalchemy import text

from tests.bench.table import Row, show
from tests.support import postgres
from tests.support.app import close, make_app, migrate
from tests.support.moves import TABLES, dealt, finished
from tests.support.player import Player
from tests.support.table_players import bet_all, betting, play_out, see_all
from webapp.extensions import db

HANDS: Final = 300
"""Hands of a game that are played. Pages are filled evenly, so a thousand cost in proportion."""
TABLE_ROUNDS: Final = 60


def measure() -> list[Row]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tefuda-bench-")))
        rows = [*_measured(f"sqlite:///{folder}/room.sqlite3", folder)]
        if postgres.available():
            rows += _measured(stack.enter_context(postgres.running()), folder)
    return rows


def _measured(url: str, folder: Path) -> Sequence[Row]:
    app = make_app(url, folder)
    migrate(app)
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    rows = costs(app)
    close(app)
    return rows


def costs(app: Flask, hands: int = HANDS, rounds: int = TABLE_ROUNDS) -> Sequence[Row]:
    """Return the kilobytes that a thousand hands of each game take in the database of an app."""

    def solo(game: str) -> None:
        player, random = Player(app.test_client()), Random(1)
        for _ in range(hands):
            dealt(player, game=game)
            finished(player, random)

    def table() -> None:
        visitors = betting(app, 5)
        for _ in range(rounds):
            see_all(visitors)
            bet_all(visitors)
            play_out(visitors)
            for visitor in visitors:
                visitor.now("ready")

    kinds: list[tuple[str, int, Callable[[], None]]] = [
        *((game, hands, lambda game=game: solo(game)) for game in TABLES),  # type: ignore[misc]
        ("table21, five seats", rounds, table),
    ]
    found: list[dict[str, float | str]] = []
    for kind, count, play in kinds:
        before = _bytes(app)
        play()
        found.append({"a thousand hands of": kind, "kB": (_bytes(app) - before) / count})
    with app.app_context():
        database = db.engine.dialect.name
    show(f"What hands cost on disk: {database}", found)
    return [row | {"database": database} for row in found]


def _bytes(app: Flask) -> int:
    """Return the bytes in use by the database, without free pages."""
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            pages, free, size = (
                int(db.session.execute(text(f"PRAGMA {what}")).scalar_one())
                for what in ("page_count", "freelist_count", "page_size")
            )
            found = (pages - free) * size
        else:
            db.session.execute(text("VACUUM FULL"))
            found = int(db.session.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
        db.session.remove()
    return found
