"""The month of daily deals: what was played on its day, what was played late, and what was missed."""

from random import Random

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.daily_mornings import DAY, MORNING, first_morning, next_morning
from tests.support.moves import next_move
from tests.support.player import Json, Player

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def clock(clock: Clock, app: Flask) -> Clock:
    return first_morning(app, clock)


def play(player: Player, path: str) -> None:
    player.post(path)
    assert player.status == 201, player.answer.text
    player.board, player.game = player.answer.json, path.rpartition("/")[2]
    while not player.over:
        player.do(next_move(player.board, Random(1)))


def month(player: Player, which: str = "") -> Json:
    found: Json = player.get(f"/daily{'?month=' if which else ''}{which}").json["month"]
    return found


def marked(found: Json) -> dict[str, tuple[int, int]]:
    return {each["day"][8:]: (each["played"], each["late"]) for each in found["days"] if each["played"] or each["late"]}


def test_a_month_marks_days_that_were_played_and_days_that_were_played_late(
    app: Flask, alice: Player, bob: Player, clock: Clock
) -> None:
    play(alice, "/daily/poker")
    next_morning(app, clock, 2)
    play(alice, "/daily/poker")
    for player in (alice, bob):
        play(player, "/d/2026-11-23/poker")
    found = month(alice)
    assert found["month"] == "2026-11"
    assert len(found["days"]) == 30
    assert marked(found) == {"23": (1, 0), "25": (1, 0)}, (
        "what was played on its day is not late for being played again"
    )
    assert found["days_played"] == 2
    assert marked(month(bob)) == {"23": (0, 1)}
    assert month(bob)["days_played"] == 0, "late is no day"
    assert marked(month(Player(app.test_client()))) == {}


def test_the_calendar_tells_only_how_often_and_never_a_zero(app: Flask, alice: Player, bob: Player) -> None:
    play(alice, "/daily/poker")
    assert "1 day this month." in alice.get("/daily", Accept="text/html").text
    assert "this month." not in bob.get("/daily", Accept="text/html").text


def test_only_days_that_can_be_played_are_called_missed(app: Flask, alice: Player, clock: Clock) -> None:
    assert "can still be played" not in alice.get("/daily", Accept="text/html").text
    next_morning(app, clock)
    assert "can still be played" in alice.get("/daily", Accept="text/html").text


@pytest.mark.parametrize("which", ["2027-01", "x", "0000-00", "９" * 4 + "-01", "2026-13", "2026-11-23"])
def test_another_month_is_no_error(alice: Player, which: str) -> None:
    assert month(alice, which)["month"] == "2026-11"


def test_months_are_turned_back_to_the_first_deal_and_no_further(app: Flask, alice: Player, clock: Clock) -> None:
    next_morning(app, clock, 10)
    page = alice.get("/daily", Accept="text/html").text
    assert "month=2026-11" in page
    assert "month=2027-01" not in page
    page = alice.get("/daily?month=2026-11", Accept="text/html").text
    assert "month=2026-12" in page
    assert "month=2026-10" not in page


def test_nothing_of_a_day_to_come_is_told(alice: Player) -> None:
    days = month(alice)["days"]
    assert [each["has_deals"] for each in days if each["day"] > "2026-11-23"] == [False] * 7


def test_the_next_deals_come_at_midnight(alice: Player) -> None:
    assert alice.get("/daily").json["next"] == (MORNING - 9 * 3600 + DAY) * 1000
    assert "2026-11-24T00:00:00+00:00" in alice.get("/daily", Accept="text/html").text
