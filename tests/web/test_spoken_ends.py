"""What a hand brought is in the sentence for screen readers, and not on the felt alone."""

import html
import re

from tests.support.moves import STAKES, dealt, every_game, finished, picking, sealed
from tests.support.player import Player

PAGE = {"Accept": "text/html"}
NAME = re.compile(r'<h2 class="verdict__name[^>]*>(.*?)</h2>', re.DOTALL)
TEXT = re.compile(r'<p class="verdict__text[^>]*>(.*?)</p>', re.DOTALL)
TEMPLATE = re.compile(r"<template.*?</template>", re.DOTALL)
"""What is shown before the end, such as the turn of a dealer."""
NUMBERS = r"\d[\d,.]*\b"
"""Chips, and the totals that were compared."""
UNSAID = {"0", "21"}
"""What nothing brings, and what the rules allow: neither is of the hand."""
NET = r": ([+−][\d,]+)"


@every_game
def test_numbers_that_the_felt_shows_after_a_hand_are_spoken(alice: Player, game: str) -> None:
    shown = 0
    for _ in range(12):
        dealt(alice, game=game, stakes=STAKES[game][:1])
        key = finished(alice)
        page = alice.get(f"/play/{game}?hand={key}", **PAGE).text
        spoken = html.unescape(page.partition('data-say="')[2].partition('"')[0])
        end = TEMPLATE.sub("", page)
        (name,), (text,) = NAME.findall(end), TEXT.findall(end)
        for number in re.findall(NET, name) + re.findall(NUMBERS, re.sub("<[^>]*>", "", text)):
            shown += 1
            assert number in spoken or number in UNSAID, (name, text)
    assert shown or not STAKES[game]


def test_what_a_double_up_offers_and_what_it_lost_is_spoken(alice: Player) -> None:
    while True:
        score = picking(alice)["view"]["score"]
        page = alice.get(f"/play/poker?hand={alice.hand}", **PAGE).text
        assert f"At stake: {score}." in page.partition('data-say="')[2].partition('"')[0]
        alice.do("pick-1")
        if not alice.board["view"]["score"]:
            break
        alice.do("collect")
    page = alice.get(f"/play/poker?hand={alice.hand}", **PAGE).text
    assert f"{score} points lost." in page.partition('data-say="')[2].partition('"')[0]


def test_the_end_of_a_run_is_spoken(alice: Player) -> None:
    sealed(alice, "video")
    while not alice.board["run"]:
        dealt(alice, game="video", stakes=(alice.board["purse"],))
        finished(alice)
    page = alice.get(f"/play/video?hand={alice.hand}", **PAGE).text
    assert "Your run is over." in page.partition('data-say="')[2].partition('"')[0]
