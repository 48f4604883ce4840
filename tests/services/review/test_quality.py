"""How well a daily deal was played: shown to those who have played it, and to nobody else while it can be played."""

import json
import re
from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.moves import next_move
from tests.support.player import Json, Player
from webapp.engine.odds.review import VERSION
from webapp.extensions import db
from webapp.models import Review
from webapp.services.deals.daily import TABLES
from webapp.services.review.quality import Quality
from webapp.web.hand_page.daily_line import COSTLY, GOOD

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def _on_this_database(database_url: str) -> None:
    """Have every test on the database of this module."""


def play_all(player: Player, game: str, random: Random | None = None) -> list[str]:
    """Play all rounds of today's deal; return their keys."""
    keys, random = [], random or Random(1)
    for _ in range(TABLES[game].rounds):
        player.post(f"/daily/{game}")
        player.board, player.game = player.answer.json, game
        while not player.over:
            player.do(random.choice(player.actions) if game == "blackjack" else next_move(player.board, random))
        keys.append(player.hand)
    return keys


def reviewed(app: Flask, keys: list[str], costs: tuple[float, ...], measure: float) -> None:
    """Store reviews with these costs, all in the first hand."""
    with app.app_context():
        for key in keys:
            summary = json.dumps({"costs": costs if key == keys[0] else (), "measure": measure})
            db.session.add(Review(key=key, version=VERSION, document="{}", summary=summary, at=1))
        db.session.commit()


def told(player: Player, game: str) -> Json:
    answer: Json = next(deal for deal in player.get("/daily").json["games"] if deal["game"] == game)
    return answer


@pytest.mark.parametrize("game", ["poker", "blackjack"])
def test_the_quality_of_all_is_told_to_who_has_played_and_to_nobody_else(app: Flask, game: str) -> None:
    players = [Player(app.test_client()) for _ in range(6)]
    for place, player in enumerate(players[:5]):
        reviewed(app, play_all(player, game), (0, place * 1.0), 10)
    assert (told(players[5], game)["quality"], told(players[5], game)["qualities"]) == (None, None)
    deals, calendar, _ = players[5].get("/daily", **FORMS["page"]).text.partition('id="month"')
    assert calendar and GOOD not in deals and "spread" not in deals.partition("<main")[2]
    rounds = TABLES[game].rounds
    first = told(players[1], game)
    assert first["quality"] == {"decisions": 2, "best": 1, "cost": 1.0, "percent": 100 - 10 // rounds}
    all_of_them = first["qualities"]
    assert (all_of_them["count"], all_of_them["below"], all_of_them["equal"]) == (5, 3, 0)
    assert all_of_them["bars"][-1] == {"least": 100, "most": 100, "count": 1, "share": 1.0, "height": 1.0, "own": False}
    page = players[1].get("/daily", **FORMS["page"]).text
    assert f"{GOOD}{COSTLY} {100 - 10 // rounds}\N{NO-BREAK SPACE}%" in page
    assert "By decisions" in page
    day = players[0].get("/daily").json["day"]
    assert next(each for each in players[0].get(f"/d/{day}").json["games"] if each["game"] == game)["qualities"]


def test_the_line_to_share_has_no_card_and_no_result(app: Flask, alice: Player) -> None:
    reviewed(app, play_all(alice, "poker"), (0, 0, 2.5), 50)
    page = alice.get("/daily", **FORMS["page"]).text
    line = re.sub("<[^>]*>", "", page.partition('class="daily__line">')[2].partition("</p>")[0]).split()
    day = alice.get("/daily").json["day"]
    assert line[:-1] == ["Tefuda", day, "Quest", "poker", f"{GOOD}{GOOD}{COSTLY}", "95", "%", "well", "played"]
    assert line[-1].endswith(f"/d/{day}")


@pytest.mark.parametrize("others", [0, 4])
def test_what_the_percents_mean_stands_once_and_beside_the_players_own(app: Flask, alice: Player, others: int) -> None:
    for player in [alice, *(Player(app.test_client()) for _ in range(others))]:
        reviewed(app, play_all(player, "poker"), (0, 2.5), 50)
    page = alice.get("/daily", **FORMS["page"]).text
    own = page.partition("1 of 2 decisions best")[2].partition('class="daily__hands"')[0]
    assert own.count("The share of the possible value") == page.count("The share of the possible value") == 1
    assert ("By decisions" in page) == (others == 4)


def test_a_try_is_reviewed_when_its_player_looks_and_nothing_is_said_until_then(
    app: Flask, alice: Player, reviews: None
) -> None:
    (key,) = play_all(alice, "poker")
    assert told(alice, "poker")["quality"] is None
    page = alice.get("/daily", **FORMS["page"]).text
    assert "being worked out" in page and "data-text=" not in page, "it would be shared without its marks"
    for _ in range(200):
        assert alice.get(f"/h/{key}/review").status in (200, 202)
        if told(alice, "poker")["quality"]:
            break
    review = alice.get(f"/h/{key}/review").json
    graded = [decision for decision in review["decisions"] if decision["grade"]]
    assert "data-text=" in alice.get("/daily", **FORMS["page"]).text
    quality = told(alice, "poker")["quality"]
    assert (quality["decisions"], quality["best"]) == (len(graded), sum(each["grade"] == "best" for each in graded))
    assert quality["cost"] == pytest.approx(sum(each["cost"] for each in graded))
    kept = 1 - quality["cost"] / sum(each["best_value"] for each in graded)
    assert quality["percent"] == (100 if not quality["cost"] else min(99, round(100 * kept)))


def test_nobody_has_a_hundred_who_gave_something_away() -> None:
    assert Quality((0, 0), 10).percent == 100
    assert Quality((0, 0.001), 10).percent == 99
    assert Quality((50.0,), 10).percent == 0
    assert Quality((), 0).percent == 100
