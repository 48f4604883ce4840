"""The lane of each request: which requests wait for each other."""

import pytest

from webapp.cli.server.asgi_site import lanes


@pytest.mark.parametrize(
    "path, place",
    [
        ("/lab/spot/blackjack", 0),
        ("/lab/strategy.csv", 0),
        ("/lab/chart", 0),
        ("/odds/blackjack/price", 1),
        ("/odds/joker", 2),
        ("/odds/joker.json", 2),
    ],
)
def test_questions_to_the_odds_desk_have_lanes_and_those_that_wait_for_tables_their_own(path: str, place: int) -> None:
    assert [lane.matches(path) for lane in lanes()].index(True) == place


@pytest.mark.parametrize("path", ["/", "/play/poker/abc/1", "/t/abc/1", "/h/abc/review", "/lab", "/static/js/sound.js"])
def test_nobody_who_plays_or_reads_waits_in_a_lane(path: str) -> None:
    assert not any(lane.matches(path) for lane in lanes())
