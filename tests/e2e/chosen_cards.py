"""A site in this process whose cards the test chooses, with a browser in front of it.

No seed that deals a royal flush can be found in reasonable time. The packs are replaced where the site derives them
from the seed; everything else is the site as it is.
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
    """A running site. ``deal`` sets the packs of the next hands."""

    url: str = ""
    packs: tuple[tuple[Card, ...], ...] = ()

    def deal(self, *packs: str) -> None:
        self.packs = tuple(map(parse_cards, packs))

    def rows(self, *_: Any, **__: Any) -> tuple[tuple[Card, ...], ...]:
        return self.packs


class _Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def chosen_cards(blank: Path, folder: Path) -> Iterator[ChosenCards]:
    """Serve the site on a copy of the blank database in this folder."""
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
    """Return the properties that are animated on the page now, except those of the row of the pay table."""
    names: list[str] = page.evaluate(
        """() => [...new Set(document.getAnimations().flatMap((each) => each.effect.getKeyframes().flatMap(Object.keys)))]
          .filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name)).sort()"""
    )
    return names
