"""Speed of pages with a thousand and with a hundred thousand stored hands, half of which belong to one player."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from tests.bench.processes import MB, tefuda
from tests.bench.rows import fill, stored_keys
from tests.bench.server import Evening, Figures
from tests.bench.storm import ask
from tests.bench.table import Row, show
from tests.support.app import close, make_app, migrate

SIZES: Final = (1_000, 100_000)
VISITORS: Final = 160


def measure(sizes: tuple[int, ...] = SIZES) -> list[Row]:
    columns = {f"{size:,} hands": dict(_costs(size)) for size in sizes}
    first, *_, last = columns.values()
    rows: list[Row] = [
        {
            "milliseconds of cpu": kind,
            **{name: costs[kind] for name, costs in columns.items()},
            "times": last[kind] / cost,
        }
        for kind, cost in first.items()
    ]
    show("What a request costs beside so many stored hands", rows)
    return rows


def _costs(size: int) -> Iterator[tuple[str, float]]:
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        instance, database = Path(folder), Path(folder, "tefuda.sqlite3")
        app = make_app(f"sqlite:///{database}", instance)
        migrate(app)
        veteran, *_ = fill(app, size)
        keys = Random(2).choices(stored_keys(app), k=VISITORS)
        cookies = _cookies(app, veteran)
        close(app)
        with tefuda(instance) as room:
            evening = Evening(room, VISITORS)
            evening.play()
            evening.figures.clear()
            evening.play()
            asked = {
                "an old hand": [ask(f"/h/{key}", fragment=False) for key in keys],
                "the veteran's lobby": [ask("/", cookies=cookies, fragment=False)] * VISITORS,
                "the veteran's table": [ask("/play/poker", cookies=cookies, fragment=False)] * VISITORS,
                "the veteran's hands": [ask("/me", cookies=cookies, fragment=False)] * VISITORS,
                "the veteran's older hands": [
                    ask(f"/me?before={key}", cookies=cookies, fragment=False) for key in keys
                ],
            }
            for kind, requests in asked.items():
                evening.figures[kind] = figures = Figures()
                assert {answer.status for answer in figures.storm(room, requests)} == {200}
            for kind, figures in evening.figures.items():
                yield kind, 1000 * figures.cpu / len(figures.taken)
            yield "(megabytes of server)", max(room.memory)
            yield "(megabytes of database)", database.stat().st_size / MB


def _cookies(app: Flask, player: str) -> dict[str, str]:
    """Return the session cookie of an existing player."""
    assert isinstance(app.session_interface, SecureCookieSessionInterface)
    serializer = app.session_interface.get_signing_serializer(app)
    assert serializer is not None
    return {app.config["SESSION_COOKIE_NAME"]: serializer.dumps({"_permanent": True, "player": player})}
