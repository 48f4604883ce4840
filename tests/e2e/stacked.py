"""Pages of blackjack rounds with chosen cards, rendered in this process and shown by the browser.

No seed that leads to twelve split hands can be found in reasonable time. So the site's app plays the round with chosen
cards instead of shuffled ones, and the browser is given the resulting pages.
"""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from flask import Flask
from playwright.sync_api import Page

from tests.support.player import Player
from webapp.engine.cards import Card, parse_cards

TABLE = "/play/blackjack"
REST = "5d6c7h8s9d2c3h4s" * 6


@dataclass(frozen=True)
class Scene:
    """A round. ``cards`` are dealt first, in this order."""

    cards: str
    moves: str = ""
    stakes: tuple[int, ...] = (100,)
    table: str = "vegas"


SPLITS = "split split split stand stand stand stand"
SCENES = {
    "one box": Scene("Th 9d 6s Kc"),
    "soft": Scene("Ah 9d 6s Kc"),
    "three boxes": Scene("Th 8h 5c 9d 6s 8d 6h Kc", stakes=(50, 100, 500)),
    "three boxes at the end": Scene("Th 8h 5c 9d 6s 8d 6h Kc 5h", "stand stand stand", stakes=(50, 100, 200)),
    "box of many cards": Scene("2h 3h 5c 9d 2s 8d 6h Kc 2c 2d Ah Ad", "hit hit hit hit", stakes=(50, 100, 500)),
    "may split": Scene("8h Td 8s 7c"),
    "may surrender": Scene("8h Td 8s 7c", table="vegas,surrender=late"),
    "two hands": Scene("8h 6d 8s Tc 3h", "split"),
    "four hands": Scene("8h 6d 8s Tc 8d 8c", "split split split"),
    "three hands": Scene("8h 6d 8s Tc 8d Th 2d Ts", "split split hit"),
    "after a hit": Scene("Th 9d 2s Kc 3d", "hit"),
    "insurance": Scene("Th Ad 6s Kc"),
    "even money": Scene("Ah As Ks 9c"),
    "insured boxes": Scene("Th 8h 9c Ad 6s 8d 2h 7c", "insure", stakes=(50, 100, 200)),
    "won": Scene("Th 9d 9s 7c 2h", "stand", stakes=(100,)),
    "lost": Scene("Th 9d 6s Kc", "stand"),
    "bust": Scene("Th 9d 6s Kc Qd", "hit"),
    "dealer's bust": Scene("Th 6d 9s Kc Qd", "stand"),
    "push": Scene("Th 9d 9s Kc", "stand"),
    "blackjack": Scene("Ah 9d Ks Kc"),
    "dealer's blackjack": Scene("Th Ad 6s Kc", "insure"),
    "many cards": Scene("2h 2d 2s Ac 2c Ad As Ah 2d Ac 3h 3d 3s Ah 3c Ad", "hit hit hit hit hit hit stand"),
    "dealer's blackjack takes all": Scene("Th Ad 6s 5c Kc", "decline hit", table="european"),
    "insured": Scene("Th Ad 9s 7c", "insure stand"),
    "soft, five cards": Scene("Th 2d 9s Ac Ad Ah 2c", "stand"),
    "dealer's eleven cards": Scene("Th 2d 9s 2c 2h 2s 3c Ac Ad Ah As Ac Ad", "stand"),
    "surrendered": Scene("Th Td 6s 9c", "surrender", table="vegas,surrender=late"),
    "twelve hands": Scene(
        "8h 8c 8d Td 8s 8d 8h 7c 8c 8d 8h Kd 2c 3d 2s", "split split split", stakes=(80, 80, 80), table="vegas,decks=8"
    ),
    "twelve at the end": Scene(
        "8h 9c 7d Td 8s 9d 7h 7c 8c 8d Kc Qd Jd Tc 9h 9s Ks Qs Js Ts 7s 7d Kh Qh Jh Th 5c",
        f"{SPLITS} {SPLITS} split split split stand stand stand stand",
        stakes=(80, 80, 80),
        table="vegas,decks=8",
    ),
    "classic": Scene("Th 9d 6s Kc", stakes=(), table="classic"),
    "classic bust": Scene("Th 9d 6s Kc Qd", "hit", stakes=(), table="classic"),
    "classic draw": Scene("Th 9d 9s Kc", "stand", stakes=(), table="classic"),
    "classic won": Scene("Th 6d 9s Kc Qd", "stand", stakes=(), table="classic"),
}
OVER = (
    "won",
    "lost",
    "bust",
    "push",
    "blackjack",
    "dealer's blackjack",
    "many cards",
    "dealer's blackjack takes all",
    "surrendered",
    "twelve at the end",
)


@contextmanager
def stacked(cards: str) -> Iterator[None]:
    """Replace every pack that is dealt in this block."""
    pack = parse_cards(cards.replace(" ", "")) + parse_cards(REST)

    def rows(_seed: bytes, _id: str, _cuts: tuple[str, ...], _packs: Any, offset: int = 0) -> tuple[tuple[Card, ...]]:
        return (pack,)

    with patch("webapp.services.records.stored_hand.ShuffledPacks", rows):
        yield


class ScenePages(dict[str, str]):
    """Pages of a played scene by address, rendered when first requested.

    ``/h/`` is the page of the round, ``/h/0`` its first step, ``png`` the address of both.
    """

    def __init__(self, player: Player, cards: str) -> None:
        super().__init__(png=f"/h/{player.hand}")
        self.player, self.cards = player, cards

    def __missing__(self, address: str) -> str:
        of_the_round = {TABLE: f"{TABLE}?hand={self.player.hand}", "/h/": self["png"], "/h/0": f"{self['png']}?step=0"}
        with stacked(self.cards):
            answer = self.player.get(of_the_round.get(address, address), Accept="text/html")
        assert answer.status == 200, address
        self[address] = answer.text
        return answer.text


def played(app: Flask, name: str, preferences: str = "") -> ScenePages:
    """Play the scene; return its pages."""
    scene = SCENES[name]
    player = Player(app.test_client())
    if preferences:
        player.line.client.set_cookie("prefs", preferences)
    with stacked(scene.cards):
        player.sit("blackjack", scene.table)
        player.deal("stacked", scene.stakes)
        assert player.status == 200, player.answer.text
        for move in scene.moves.split():
            player.act(move)
            assert player.status == 200, (move, player.answer.text)
    return ScenePages(player, scene.cards)


def show(page: Page, html: str, address: str = TABLE) -> None:
    """Let the browser open this page as if the site had sent it.

    It is served through the browser's own protocol: a route of Playwright's disables the cache, and every picture would
    be loaded again.
    """
    line = page.context.new_cdp_session(page)
    headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
    body = b64encode(html.encode()).decode()

    def answer(paused: dict[str, Any]) -> None:
        said = {"requestId": paused["requestId"], "responseCode": 200, "responseHeaders": headers, "body": body}
        line.send("Fetch.fulfillRequest", said)

    line.on("Fetch.requestPaused", answer)
    line.send("Fetch.enable", {"patterns": [{"urlPattern": f"*{address}", "resourceType": "Document"}]})
    page.goto(address)
    line.detach()
