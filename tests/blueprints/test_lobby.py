"""The lobby and the lists it links to: one heading, one golden button, and the name of the game with each hand."""

import re

import pytest
from flask import Flask

from tests.support.languages import GAPLESS
from tests.support.moves import TABLES, dealt, dealt_and_live, finished
from tests.support.player import Player
from tests.support.table_players import seated

PAGE = {"Accept": "text/html"}
GOLD = re.compile(r'class="[^"]*\bbtn--primary\b[^"]*"[^>]*>\s*([^<]*?)\s*<')


def test_the_heading_does_not_repeat_the_name_of_the_site(alice: Player) -> None:
    page = alice.get("/", **PAGE).text
    headings = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    assert len(headings) == 1
    assert "Tefuda" not in headings[0] and page.count(">Tefuda<") == 1


@pytest.mark.parametrize("path", ["/", "/me/hands"])
def test_each_hand_in_a_list_says_its_game(alice: Player, path: str) -> None:
    for game in TABLES:
        dealt(alice, game=game)
        finished(alice)
    hands = re.findall(r'<a class="history__item".*?</a>', alice.get(path, **PAGE).text, re.DOTALL)
    games = [re.findall(r'history__game">([^<]+)<', hand) for hand in hands]
    assert sorted(games) == [["Blackjack"], ["Joker poker"], ["Quest poker"], ["Video poker"]]


def test_one_button_of_the_list_of_tables_is_golden(app: Flask) -> None:
    alice, _ = seated(app, 2)
    for player, button in ((Player(app.test_client()), "Play with the house bot"), (alice, "Back to your table")):
        for path in ("/tables", "/tables?table=house,min_bet=5"):
            assert GOLD.findall(player.get(path, **PAGE).text) == [button], path


@pytest.mark.parametrize("language", GAPLESS)
def test_the_way_back_to_a_table_has_no_comma_of_another_script(app: Flask, language: str) -> None:
    alice, _ = seated(app, 2)
    page = alice.get("/", **PAGE, Accept_Language=language).text
    ways = re.findall(r'<span class="resume__text">(.*?)</span>', page, re.DOTALL)
    assert [way.strip().endswith(f" · {alice.code}") for way in ways] == [True]


def test_an_open_hand_says_for_how_long_it_is_kept(alice: Player) -> None:
    for game in TABLES:
        dealt_and_live(alice, game)
    ways = re.findall(r'<span class="resume__text">(.*?)</span>', alice.get("/", **PAGE).text, re.DOTALL)
    assert [" ".join(way.split()).endswith(" · kept for a day") for way in ways] == [True] * len(TABLES)


def test_the_page_without_a_connection_promises_no_more_than_is_kept(alice: Player) -> None:
    assert "Your hand waits for you for a day." in alice.get("/offline", **PAGE).text


def test_one_game_says_to_who_has_never_played_where_to_begin(alice: Player) -> None:
    assert re.findall(r"Start here", alice.get("/", **PAGE).text) == ["Start here"]
    dealt_and_live(alice, "blackjack")
    assert "Start here" not in alice.get("/", **PAGE).text
    finished(alice)
    assert "Start here" not in alice.get("/", **PAGE).text
