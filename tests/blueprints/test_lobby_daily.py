"""The strip of the daily deals in the lobby: new, begun, done, and the places of yesterday."""

import json
import re
from html import unescape

import pytest
from flask import Flask

from tests.services.deals.test_past_days import PAGE, play_all
from tests.support.clock import Clock
from tests.support.daily_mornings import first_morning, next_morning
from tests.support.player import Player
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import Review
from webapp.services.deals.daily import TABLES


@pytest.fixture(autouse=True)
def clock(clock: Clock, app: Flask) -> Clock:
    return first_morning(app, clock)


def strip(player: Player) -> str:
    """Return the words of the strip as they are read."""
    page = player.get("/", **PAGE).text
    found = page.partition('<a class="resume today"')[2].partition("</a>")[0].partition('class="today__text">')[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", "", found)).split()).removesuffix(" →")


def backs(player: Player) -> int:
    page = player.get("/", **PAGE).text
    return page.partition('<a class="resume today"')[2].partition("</a>")[0].count("#c-back")


def reviewed(app: Flask, keys: list[str], cost: float) -> None:
    """Store reviews of rounds in which one decision of the first has this cost of ten."""
    with app.app_context():
        for key in keys:
            summary = json.dumps({"costs": [cost] if key == keys[0] else [], "measure": 10 if key == keys[0] else 0})
            db.session.add(Review(key=key, version=VERSION, document="{}", summary=summary, at=1))
        db.session.commit()


def test_the_strip_goes_from_new_to_begun_to_done(app: Flask, clock: Clock, alice: Player) -> None:
    assert (strip(alice), backs(alice)) == ("4 deals, one try each", 4)
    alice.post("/daily/blackjack")
    assert (strip(alice), backs(alice)) == ("Go on · 4 left", 4)
    reviewed(app, play_all(alice, "poker"), 1)
    assert (strip(alice), backs(alice)) == ("♢ 90 % well played · 3 left", 3)
    reviewed(app, play_all(alice, "joker"), 0)
    assert (strip(alice), backs(alice)) == ("♢♠ 95 % well played · 2 left", 2)
    play_all(alice, "video")
    assert (strip(alice), backs(alice)) == ("♢♠ 95 % well played · 1 left", 1)
    play_all(alice, "blackjack")
    assert (strip(alice), backs(alice)) == ("95 % well played · All played", 0)
    next_morning(app, clock)
    assert (strip(alice), backs(alice)) == ("4 deals, one try each", 4)
    for game in TABLES:
        play_all(alice, game)
    assert strip(alice) == "All played · the cards of yesterday are open"
    assert "All played&nbsp;· " in alice.get("/", **PAGE).text, "the point begins no line"


def test_who_has_played_nothing_but_a_daily_deal_is_no_stranger(alice: Player, bob: Player) -> None:
    play_all(alice, "poker")
    known, stranger = (player.get("/", **PAGE).text for player in (alice, bob))
    assert 'class="lobby lobby--known"' in known and "Start here" not in known
    assert 'class="lobby"' in stranger and "Start here" in stranger


def test_yesterdays_places_by_decisions_and_by_result_are_those_of_its_players(
    app: Flask, clock: Clock, bob: Player
) -> None:
    players = [Player(app.test_client()) for _ in range(5)]
    for place, player in enumerate(players):
        reviewed(app, play_all(player, "poker"), place)
    next_morning(app, clock)
    for place, player in enumerate(players):
        page = player.get("/", **PAGE).text
        line = page.partition('class="today__before">')[2].partition("</p>")[0]
        assert 'href="/d/2026-11-23"' in line
        assert f"{place + 1} of 5 by decisions" in line
        assert "1 of 5 by result" in line, "all played alike"
    assert "today__before" not in bob.get("/", **PAGE).text
    next_morning(app, clock)
    assert "today__before" not in players[0].get("/", **PAGE).text, "it is the line of one day"


def test_the_places_of_fewer_than_five_are_nobodys(app: Flask, clock: Clock, alice: Player) -> None:
    reviewed(app, play_all(alice, "poker"), 0)
    next_morning(app, clock)
    line = alice.get("/", **PAGE).text.partition('class="today__before">')[2].partition("</p>")[0]
    assert "Fewer than five" in line
    assert "by result" not in line


def test_odds_charts_drills_and_simulations_are_reached_from_the_lobby_the_footer_and_the_lab(alice: Player) -> None:
    lab = alice.get("/lab", **PAGE).text.partition("<main")[2].partition("</main>")[0]
    for address in ("/odds/poker", "/odds/table21", "/lab/chart", "/drill/joker", "#simulation", "/lab/exercise"):
        assert f'href="{address}' in lab, address
    for name in re.findall(r'id="(odds|chart|drills|simulation)"', lab):
        lab = lab.replace(f'id="{name}"', "")
    assert not re.search(r'id="(odds|chart|drills|simulation)"', lab)
    for path in ("/", "/about"):
        foot = alice.get(path, **PAGE).text.partition('<footer class="foot">')[2]
        for address in ("/lab#odds", "/lab/chart", "/lab#drills", "/lab#simulation"):
            assert f'href="{address}"' in foot
    lobby = alice.get("/", **PAGE).text
    for game in TABLES:
        assert f'href="/drill/{game}"' in lobby
    for address in set(re.findall(r'href="(/(?:odds|drill|lab)[^"#]*)', lobby + lab)):
        assert alice.get(address, **PAGE).status in (200, 202, 303), address


def test_a_form_of_the_lab_that_is_filled_in_comes_first(alice: Player) -> None:
    assert 'class="tools"' in alice.get("/lab", **PAGE).text
    assert 'class="tools"' not in alice.get("/lab?table=vegas&strategy=basic", **PAGE).text
