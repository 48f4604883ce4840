"""The help lists a key only where a button has it."""

import html
import re

from flask import Flask

from tests.support.clock import Clock
from tests.support.daily_mornings import first_morning
from tests.support.moves import every_game
from tests.support.player import Player

PAGE = {"Accept": "text/html"}
CHIPS_AND_COACH = {"B", "M", "I", "E"}
MOVES = {"H", "S", "D", "P", "R", "Y", "N"}
"""Of blackjack: not each is open in every decision."""


def listed(page: str) -> set[str]:
    keys = page.partition('<dl class="keys')[2].partition("</dl>")[0]
    return set(map(html.unescape, re.findall(r"<kbd>(.*?)</kbd>", keys)))


def pressed(page: str) -> set[str]:
    return {key for keys in re.findall(r'aria-keyshortcuts="([^"]*)"', page) for key in keys.split()}


@every_game
def test_a_drill_lists_the_keys_of_its_buttons(alice: Player, game: str) -> None:
    page = alice.get(f"/drill/{game}?spot=drill", **PAGE).text
    keys = listed(page) - (MOVES if game == "blackjack" else set())
    assert "?" in keys
    assert keys <= pressed(page)
    assert pressed(page) <= listed(page) | {"Enter", "Space"}


@every_game
def test_a_daily_deal_lists_no_key_of_chips_and_none_of_the_coach(
    app: Flask, clock: Clock, alice: Player, game: str
) -> None:
    first_morning(app, clock)
    alice.post(f"/daily/{game}")
    address = alice.post(f"/daily/{game}", **PAGE).headers["location"]
    page = alice.get(address, **PAGE).text
    assert "Enter" in listed(page)
    assert not (listed(page) | pressed(page)) & CHIPS_AND_COACH
