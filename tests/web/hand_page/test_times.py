"""The time at which a hand ended: machines can read it, and people see that its day is that of UTC."""

import re
from datetime import datetime, timedelta

import pytest

from tests.support.languages import CODES
from tests.support.moves import dealt, every_game, finished
from tests.support.player import Player


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


def test_so_does_that_of_a_practice_hand(visitor: Player) -> None:
    dealt(visitor)
    visitor.post(f"/h/{finished(visitor)}/again")
    visitor.board = visitor.answer.json
    key = finished(visitor)
    assert '<time datetime="' in visitor.get(f"/h/{key}", Accept="text/html").text
