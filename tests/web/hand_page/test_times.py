"""The time at which a hand ended: machines can read it, and people see that its day is that of UTC."""

import re
from datetime import datetime, timedelta

import pytest
from flask import Flask

from tests.support.languages import CODES
from tests.support.moves import dealt, every_game, finished
from tests.support.player import Player
from tests.support.table_players import bet_all, betting, play_out


@every_game
@pytest.mark.parametrize("language", CODES)
def test_the_page_of_a_hand_says_when_it_ended_and_in_which_zone(visitor: Player, game: str, language: str) -> None:
    dealt(visitor, game=game)
    key = finished(visitor)
    at = datetime.fromisoformat(visitor.get(f"/h/{key}").json["finished_at"])
    page = visitor.get(f"/h/{key}", Accept="text/html", Accept_Language=language).text
    ((said, text),) = re.findall(r'<time datetime="([^"]*)" data-zoned>([^<]*)</time>', page)
    assert datetime.fromisoformat(said) == at
    assert at.utcoffset() == timedelta(0)
    assert "UTC" in text
    assert {str(at.year), str(at.day)} <= {*re.findall(r"[1-9][0-9]*", text)}


def rows(player: Player, language: str = "en") -> list[str]:
    page = player.get("/me/hands", Accept="text/html", Accept_Language=language).text
    return re.findall(r'<a class="history__item".*?</a>', page, re.DOTALL)


@pytest.mark.parametrize("language", CODES)
def test_each_hand_of_the_list_says_when_it_ended(visitor: Player, language: str) -> None:
    for game in ("poker", "blackjack"):
        dealt(visitor, game=game)
        ended = datetime.fromisoformat(visitor.get(f"/h/{finished(visitor)}").json["finished_at"])
    found = [
        re.findall(r'<time datetime="([^"]*)" data-zoned="minute">([^<]*)</time>', row)
        for row in rows(visitor, language)
    ]
    assert [len(each) for each in found] == [1, 1]
    ((said, text),) = found[0]
    assert datetime.fromisoformat(said) == ended.replace(microsecond=0)
    assert "UTC" in text
    assert f"{ended.minute:02}" in re.findall(r"[0-9]+", text)


def test_a_round_of_a_table_says_in_the_list_which_one_it_was(app: Flask) -> None:
    visitors = betting(app)
    bet_all(visitors)
    play_out(visitors)
    assert [re.findall(r"Round (\d)", row) for row in rows(visitors[0])] == [["1"]]


def test_so_does_that_of_a_practice_hand(visitor: Player) -> None:
    dealt(visitor)
    visitor.post(f"/h/{finished(visitor)}/again")
    visitor.board = visitor.answer.json
    key = finished(visitor)
    assert '<time datetime="' in visitor.get(f"/h/{key}", Accept="text/html").text
