"""The outline of pages for those who hear them: no level of headings is skipped, and no two navigations share a name."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from flask import Flask

from tests.support.clock import run_timer
from tests.support.moves import TABLES, finished
from tests.support.player import Json, Player
from tests.support.table_players import betting
from webapp.engine.games import GAMES

PAGE = {"Accept": "text/html"}
PLACES = (
    *(
        "/",
        "/me",
        "/me/hands",
        "/me/decisions",
        "/me/settings",
        "/fair",
        "/about",
        "/privacy",
        "/daily",
        "/tables",
        "/offline",
    ),
    *("/lab", "/lab/exercise", "/lab/chart", "/lab/spot/blackjack?cards=Th6d&dealer=9s"),
    *(
        "/odds/blackjack?cards=Th6d&dealer=9s",
        "/odds/poker",
        "/odds/blackjack/index",
        "/odds/blackjack/price",
        "/odds/poker/price",
    ),
    *("/drill/poker?spot=outline", "/drill/blackjack?spot=outline"),
    *(
        "/drill/counting",
        "/drill/counting/true?spot=outline",
        "/drill/counting/plays?spot=outline",
        "/drill/counting/tray?round=" + "_".join(["tray.0.1"] * 10),
    ),
    *(f"/{way}/{code}" for way in ("play", "rules") for code in GAMES if way == "rules" or code in TABLES),
)


def faults(page: str) -> list[str]:
    levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
    skipped = [f"h{level} after h{before}" for before, level in pairwise([0, *levels]) if level > before + 1]
    names = Counter(re.findall(r'<nav\b[^>]*\baria-label="([^"]*)"', page))
    return skipped + [name for name, count in names.items() if count > 1]


@pytest.mark.parametrize("place", PLACES)
def test_pages(app: Flask, alice: Player, place: str) -> None:
    run_timer(app, "daily deals")
    answer = alice.get(place, **PAGE)
    assert answer.status in (200, 202), "what is being worked out has the same outline"
    assert faults(answer.text) == []


def test_split_hands_in_play_and_afterwards(alice: Player, deal_that_offers: Callable[..., Json]) -> None:
    deal_that_offers(alice, "split")
    alice.act("split")
    assert faults(alice.get("/play/blackjack", **PAGE).text) == []
    key = finished(alice)
    assert faults(alice.get(f"/h/{key}", **PAGE).text) == []


def test_a_shared_table(app: Flask) -> None:
    for visitor in betting(app, 2):
        assert faults(visitor.get(f"/t/{visitor.code}", **PAGE).text) == []
