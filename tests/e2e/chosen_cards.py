"""A site in this process whose cards the test chooses: what a player sees of a royal flush, from the tap to the seal.

No seed leads to a royal flush in a time anybody has. The packs are replaced where the site makes them from the seed; all
else is the site as it is, with a browser before it.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

from playwright.sync_api import Page
from werkzeug.serving import WSGIRequestHandler, make_server

from tests.support.app import close, make_app
from webapp.engine.cards import Card, parse_cards


@dataclass
class ChosenCards:
    """``deal`` says what the next hands are dealt, pack by pack."""

    url: str = ""
    packs: tuple[tuple[Card, ...], ...] = ()

    def deal(self, *packs: str) -> None:
        self.packs = tuple(map(parse_cards, packs))

    def rows(self, *_: Any, **__: Any) -> tuple[tuple[Card, ...], ...]:
        return self.packs


class _Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        """Say nothing of requests."""


@contextmanager
def chosen_cards(blank: Path, folder: Path) -> Iterator[ChosenCards]:
    """Serve a site of this folder, on a copy of the blank database."""
    shutil.copy(blank, folder / "chosen.sqlite3")
    app = make_app(f"sqlite:///{folder / 'chosen.sqlite3'}", folder)
    chosen = ChosenCards()
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    chosen.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    with (
        patch("webapp.services.records.stored_hand.ShuffledPacks", chosen.rows),
        patch("webapp.services.records.stored_round.ShuffledPacks", chosen.rows),
    ):
        thread.start()
        yield chosen
        server.shutdown()
        thread.join()
    server.server_close()
    close(app)


def animated(page: Page) -> list[str]:
    """Properties that move on the page at this moment, but for the row of the pay table."""
    names: list[str] = page.evaluate(
        """() => [...new Set(document.getAnimations().flatMap((each) => each.effect.getKeyframes().flatMap(Object.keys)))]
          .filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name)).sort()"""
    )
    return names
