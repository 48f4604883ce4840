"""Decisions at shared tables: everybody is asked their own ones again, and rated for them."""

import re

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import be_later
from tests.support.moves import finished_json
from tests.support.player import Json, Player
from tests.support.reviews import reviewed
from tests.support.rows import all_rows, findings, row, tamper
from tests.support.table_players import (
    TablePlayer,
    acting,
    banker_of,
    bet_all,
    betting,
    lying,
    open_cards,
    play_out,
    see_all,
)
from webapp.services.review import ratings

DAY = 86_400
AGAIN = "/drill/again"
COSTLY = {"slip", "mistake", "blunder"}


@pytest.fixture(autouse=True)
def _reviews_are_wanted(reviews: None) -> None:
    """Have finished rounds reviewed."""


def played_badly(app: Flask, count: int = 2, again: str | None = None) -> tuple[TablePlayer, TablePlayer, Json, Json]:
    """Finish a round whose first decision was costly: who took it, the bank, the round, and the decision.

    Args:
        again: What everybody posts to before the cards are dealt, if anything.
    """
    visitors = betting(app, count)
    for visitor in visitors if again else ():
        assert visitor.post(again or "").status == 200
    for _ in range(100):
        bet_all(visitors, 20)
        bank = banker_of(visitors)
        if bank.phase == "playing" and acting(visitors) is not bank and lying(bank.table) == 2 * count:
            culprit = acting(visitors)
            total = culprit.seat()["hands"][0]["total"]
            culprit.do("stand" if total < 17 else "hit")
            play_out(visitors)
            key = bank.table["last"].removeprefix("/h/")
            told, decision = finished_json(culprit, key), reviewed(culprit, key)["decisions"][0]
            if decision["step"] == 0 and decision["grade"] in COSTLY:
                return culprit, bank, told, decision
        play_out(visitors)
        for visitor in visitors:
            visitor.now("ready")
        see_all(visitors)
    raise AssertionError("a hundred rounds, and none that was played badly")


def answered(player: Player, word: str, number: int, action: str) -> Json:
    """Answer a question; return it."""
    for _ in range(200):
        answer = player.post(f"{AGAIN}/{word}", [("asked", str(number)), ("answer", action)])
        if answer.status == 200:
            found: Json = answer.json
            return found
        assert answer.status == 202, answer.text
    raise AssertionError("no verdict")


def ask_again(player: Player, key: str, step: int = 0) -> int:
    return player.post(AGAIN, [("hand", key), ("step", str(step))]).status


def test_an_own_decision_is_asked_again_as_it_was_seen_and_graded_as_in_the_review(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, _bank, told, decision = played_badly(app, 3)
    key = told["hand"]
    assert ask_again(player, key) == 200
    (word,) = row(app, "SELECT word FROM recall")
    be_later(monkeypatch, DAY)
    overview = player.get(AGAIN)
    assert (overview.json["due"], overview.json["next"]) == (1, f"{AGAIN}/{word}")
    question = player.get(f"{AGAIN}/{word}")
    page = player.get(f"{AGAIN}/{word}", **FORMS["page"]).text
    puzzle = question.json["puzzle"]
    assert (puzzle["game"], puzzle["verdict"], question.json["hand"]) == ("table21", None, None)
    assert puzzle["view"]["to_act"] == decision["seat"]
    shown = {card for seat in puzzle["view"]["seats"] for hand in seat["hands"] for card in hand["cards"] if card}
    assert shown == open_cards(told, 2 * len(told["stakes"]), turned=False)
    assert "Face-down card" in page
    for secret in (key, told["notation"], told["proof"]["seed"]):
        assert secret not in question.text + page
    assert "What would you do?" in page
    best = decision["best"].partition("@")[0]
    after = answered(player, word, 0, best)
    verdict, bet = after["puzzle"]["verdict"], told["stakes"][decision["seat"]]
    assert (verdict["grade"], verdict["best"], after["hand"]) == ("best", best, f"/h/{key}?step=0")
    values = {option["action"].partition("@")[0]: option["value"] for option in decision["options"]}
    assert {option["action"]: bet * option["value"] for option in verdict["options"]} == pytest.approx(values)
    assert row(app, "SELECT game, share FROM drill_answer") == ("table21", 0)
    verdict_page = player.get(f"{AGAIN}/{word}", **FORMS["page"]).text
    assert "Right:" in verdict_page and "To the hand" in verdict_page
    assert player.get(f"/odds/table21?hand={key}&step=0").status in (200, 202, 303)
    assert findings(app) == []


def test_nobody_is_asked_what_somebody_else_has_decided(app: Flask) -> None:
    player, bank, told, decision = played_badly(app)
    key, stranger = told["hand"], Player(app.test_client())
    players = row(app, "SELECT count(*) FROM player")
    for other in (bank, stranger):
        assert ask_again(other, key) == 404
        page = other.get(f"/h/{key}", **FORMS["page"]).text
        assert 'form="ask-again"' not in page
    assert row(app, "SELECT count(*) FROM player") == players, "and no player is made for it"
    assert ask_again(player, key, 99) == 404
    assert row(app, "SELECT count(*) FROM recall") == (0,)
    page = player.get(f"/h/{key}", **FORMS["page"]).text
    own = {str(each["step"]) for each in reviewed(player, key)["decisions"] if each["seat"] == decision["seat"]}
    assert set(re.findall(r'form="ask-again" name="step" value="(\d+)"', page)) == own
    for path in (f"/h/{key}?ask=0", f"/h/{key}/0.png"):
        assert player.get(path).status == 404, "nor may others be asked"


def test_each_is_asked_their_own_decisions_of_new_rounds_once_they_wish_so(app: Flask) -> None:
    player, bank, told, _decision = played_badly(app, again=f"{AGAIN}/start")
    places = {seat["seat"]: place for place, seat in enumerate(told["seats"])}
    for visitor in (player, bank):
        (owner,) = row(
            app,
            "SELECT player_id FROM round_seat WHERE round_key = :key AND number = :n",
            key=told["hand"],
            n=visitor.you,
        )
        recalls = all_rows(app, "SELECT step, slipped FROM recall WHERE player_id = :owner", owner=owner)
        own = {each["step"]: each for each in reviewed(player, told["hand"])["decisions"]}
        assert all(own[found.step]["seat"] == places[visitor.you] for found in recalls if found.slipped)
        if visitor is player:
            assert 0 in {found.step for found in recalls}
    assert findings(app) == []


def test_the_costliest_decisions_at_shared_tables_are_taken_in_at_first(app: Flask) -> None:
    player, _, told, decision = played_badly(app)
    assert player.post(f"{AGAIN}/start").status == 200
    found = {(each.round_key, each.step) for each in all_rows(app, "SELECT round_key, step FROM recall WHERE slipped")}
    assert (told["hand"], decision["step"]) in found
    assert findings(app) == []


def test_what_was_played_for_an_absent_player_is_nobodys_decision(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "LEAST", 1)
    player, _, told, _ = played_badly(app)
    assert player.get("/me/rating").json["ratings"]
    autos = " ".join(["timid/late", *["bank/forced"] * (len(told["moves"]) - 1)])
    tamper(app, "UPDATE table_round SET autos = :autos WHERE key = :key", autos=autos, key=told["hand"])
    assert ask_again(player, told["hand"]) == 404
    assert not player.get("/me/rating").json["ratings"]


def test_one_that_is_parked_says_why_and_leads_to_the_odds_of_the_round(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    player, _, told, decision = played_badly(app)
    ask_again(player, told["hand"])
    (word,) = row(app, "SELECT word FROM recall")
    worst = decision["options"][-1]["action"].partition("@")[0]
    for time in range(5):
        be_later(monkeypatch, (time + 1) * 27 * DAY)
        after = answered(player, word, time, worst)
    assert after["state"] == "parked"
    (parked,) = player.get(AGAIN).json["parked"]
    assert (parked["game"], parked["odds"]) == ("table21", f"/odds/table21?hand={told['hand']}&step=0")
    page = player.get(AGAIN, **FORMS["page"]).text
    assert "Table 21" in page and "asking once more would teach nothing" in page
    assert findings(app) == []


def test_the_audit_sees_a_recall_of_somebody_elses_decision(app: Flask) -> None:
    player, bank, told, _ = played_badly(app)
    ask_again(player, told["hand"])
    tamper(
        app,
        "UPDATE recall SET player_id = (SELECT player_id FROM round_seat WHERE round_key = :key AND number = :bank)",
        key=told["hand"],
        bank=bank.you,
    )
    assert len(findings(app)) == 1
    tamper(app, "UPDATE recall SET step = 99")
    assert len(findings(app)) == 1


def test_they_are_in_the_file_and_forgotten_with_the_player(app: Flask) -> None:
    player, _, told, _ = played_badly(app)
    ask_again(player, told["hand"])
    (exported,) = player.line.ask("GET", "/me/export", [], {}).json["recall"]
    assert (exported["hand_key"], exported["round_key"], exported["step"]) == (None, told["hand"], 0)
    assert player.post("/me/forget", [("sure", "1")]).status in (200, 303)
    assert row(app, "SELECT count(*) FROM recall") == (0,)


def test_rounds_are_rated_by_the_share_of_the_bet_and_for_the_bank_of_the_bets_against_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "LEAST", 1)
    player, _bank, told, _decision = played_badly(app)
    seats = {seat["seat"]: place for place, seat in enumerate(told["seats"])}
    place = seats[player.you]
    own = [each for each in reviewed(player, told["hand"])["decisions"] if each["seat"] == place and each["grade"]]
    shares = [each["cost"] / told["stakes"][place] for each in reversed(own)]
    wanted = ratings.rating("table21", "played", shares)
    assert wanted is not None
    (found,) = player.get("/me/rating").json["ratings"]
    assert (found["game"], found["kind"], found["decisions"]) == ("table21", "played", len(own))
    assert (found["points"], found["within"]) == (wanted.points, wanted.within)
    assert found["points"] < 900, "the costly one is among a few"
    assert "Table 21" in player.get("/me/rating", **FORMS["page"]).text
    assert "Table 21" in player.get("/me/decisions", **FORMS["page"]).text
    see_all([player])
    tamper(app, "UPDATE table_round SET banker = :place WHERE key = :key", place=player.you, key=told["hand"])
    (as_bank,) = player.get("/me/rating").json["ratings"]
    against = sum(told["stakes"]) - told["stakes"][place]
    of_bank = ratings.rating("table21", "played", [each["cost"] / against for each in reversed(own)])
    assert of_bank is not None
    assert as_bank["points"] == of_bank.points, "the bets against it"
