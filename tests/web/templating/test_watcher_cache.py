"""Cached fragments contain nothing that changes by itself: time and number of watchers are sent beside them."""

import re
import time

from flask import Flask

from tests.support.player import Answer
from tests.support.table_players import TablePlayer, betting

FRAGMENT = {"Accept": "text/html", "HX_Request": "true"}
PAGE = {"Accept": "text/html"}


def look(visitor: TablePlayer, path: str, headers: dict[str, str]) -> Answer:
    answer = visitor.get(path, **headers)
    assert answer.status == 200
    return answer


def test_a_fragment_does_not_change_with_time(app: Flask) -> None:
    seats = betting(app, 2)
    for visitor in (seats[0], TablePlayer(app.test_client())):
        first = look(visitor, f"/t/{seats[0].code}", FRAGMENT)
        time.sleep(0.01)
        second = look(visitor, f"/t/{seats[0].code}", FRAGMENT)
        assert int(second.headers["x-now"]) > int(first.headers["x-now"])
        assert second.text == first.text


def test_a_fragment_names_the_end_of_the_clock_and_how_many_look_on_comes_with_it(app: Flask) -> None:
    seats = betting(app, 2)
    fragment = look(TablePlayer(app.test_client()), f"/t/{seats[0].code}", FRAGMENT)
    (deadline,) = re.findall(r'data-deadline="(\d+)"', fragment.text)
    assert int(deadline) == round(1000 * seats[0].see()["deadline"])
    assert 0 < int(deadline) - int(fragment.headers["x-now"]) <= 20_000
    assert fragment.headers["x-watching"] == "0"
    assert "data-watching" not in fragment.text


def test_a_page_without_scripts_shows_how_the_clock_stands(app: Flask) -> None:
    seats = betting(app, 2)
    page = look(TablePlayer(app.test_client()), f"/t/{seats[0].code}", PAGE)
    (seconds,) = re.findall(r"<span data-seconds>(\d+)</span>", page.text)
    assert 15 <= int(seconds) <= 20
    (width,) = re.findall(r'class="clock__left" width="(\d+)"', page.text)
    assert 150 <= int(width) <= 200
    assert "<span data-watching>0</span>" in page.text
    assert "x-now" not in page.headers
    assert re.search(r'data-now="\d{13}"', page.text)
