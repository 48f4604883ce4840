"""What a thousand finished hands cost on disk, by game: rows and indexes together."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import structlog
from flask import Flask
from sqlalchemy import text

from tests.bench.table import Row, show
from tests.support.app import close, make_app, migrate
from tests.support.moves import TABLES, dealt, finished
from tests.support.player import Player
from tests.support.table_players import bet_all, betting, play_out, see_all
from webapp.extensions import db

HANDS: Final = 300
"""Hands of a game that are played. Pages are filled evenly, so a thousand cost in proportion."""
TABLE_ROUNDS: Final = 60


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        app = make_app(f"sqlite:///{folder}/room.sqlite3", Path(folder))
        migrate(app)
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
        rows = costs(app)
        close(app)
    return rows


def costs(app: Flask, hands: int = HANDS, rounds: int = TABLE_ROUNDS) -> list[Row]:
    """Kilobytes that a thousand hands of each game take in the database of an app."""

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
    found: list[Row] = []
    for kind, count, play in kinds:
        before = _bytes(app)
        play()
        found.append({"a thousand hands of": kind, "kB": (_bytes(app) - before) / count})
    show("What hands cost on disk", found)
    return found


def _bytes(app: Flask) -> int:
    """Bytes of all that is stored, without pages that are free."""
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            pages, free, size = (
                int(db.session.execute(text(f"PRAGMA {what}")).scalar_one())
                for what in ("page_count", "freelist_count", "page_size")
            )
            found = (pages - free) * size
        else:
            found = int(db.session.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
        db.session.remove()
    return found
