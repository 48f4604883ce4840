"""Ratings of decisions: a mean with its uncertainty, by cost alone, of the latest decisions."""

import json
from random import Random
from statistics import fmean, stdev
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import run_timer
from tests.support.moves import dealt, finished
from tests.support.player import Json, Player
from tests.support.rows import all_rows, findings, row, tamper
from webapp.extensions import db
from webapp.models import DrillAnswer, Hand
from webapp.services.operations import personal_data
from webapp.services.review import ratings
from webapp.services.review.ratings import LATEST, LEAST, Rating, rating


def simulated(random: Random, count: int, wrong: float, mean: float) -> list[float]:
    """Return the shares of a player of whose decisions a part is wrong, each by another amount."""
    return [random.expovariate(1 / mean) if random.random() < wrong else 0.0 for _ in range(count)]


def rated(shares: list[float]) -> Rating:
    found = rating("poker", "played", shares)
    assert found is not None
    return found


def test_a_rating_is_what_the_page_says() -> None:
    shares = [0.0, 0.1, 0.0, 0.02, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0]
    counted = [*shares, 0.0, 0.2]
    assert rated(shares) == Rating(
        "poker",
        "played",
        10,
        round(1000 * (1 - fmean(counted))),
        round(2 * 1000 * stdev(counted) / len(counted) ** 0.5),
    )
    assert rating("poker", "played", shares[:9]) is None


def test_few_good_decisions_are_not_perfect_and_many_nearly_are() -> None:
    few, many = rated([0.0] * LEAST), rated([0.0] * LATEST)
    assert few.points + few.within >= 1000 > few.points
    assert few.within > 20
    assert (many.points, many.within) == (999, 1)


def test_it_falls_and_rises_with_the_latest_decisions_only() -> None:
    good, bad = [0.0] * LATEST, [0.5] * 30
    before, after = rated(good), rated([*bad, *good])
    assert after.points < before.points - after.within
    assert rated([*good, *bad]) == before
    assert rated([5.0] * LATEST).points == 0


@pytest.mark.parametrize("count", [20, 100, 300])
@pytest.mark.parametrize("wrong", [0.1, 0.33])
def test_the_true_figure_lies_within_it_more_than_nine_times_out_of_ten(count: int, wrong: float) -> None:
    random, mean, trials = Random(count), 0.08, 500
    found = [rated(simulated(random, count, wrong, mean)) for _ in range(trials)]
    true = 1000 * (1 - wrong * mean)
    assert sum(abs(each.points - true) <= each.within for each in found) > 0.9 * trials


def test_its_uncertainty_is_that_of_a_bootstrap() -> None:
    random = Random(1)
    shares = simulated(random, 200, 0.3, 0.1)
    counted = [*shares, *ratings.MADE_UP]
    means = [fmean(random.choices(counted, k=len(counted))) for _ in range(2000)]
    assert rated(shares).within == pytest.approx(2 * 1000 * stdev(means), rel=0.1)


def test_chips_are_shares_of_one_box_and_scores_of_the_best_value() -> None:
    assert ratings._shares({"costs": [5, 0], "measure": 40}, "10,0,10", "bets") == [0.25, 0]
    assert ratings._shares({"costs": [5, 1], "measure": 100}, "", "score") == [0.1, 0.02]
    assert ratings._shares({"costs": [0.5], "measure": -0.25}, "", "rounds") == [0.5]
    assert ratings._shares({"costs": [], "measure": 0}, "", "score") == []


def drilled(player: Player, spot: str, right: bool) -> Json:
    """Answer a spot of a drill; return the answer. A stranger tells which answers are how good."""
    stranger = Player(player.line.client.application.test_client())  # type: ignore[union-attr]
    options: list[Json] = []
    while not options:
        told = stranger.get(f"/drill/poker?spot={spot}&answer=hold").json
        options = told["verdict"]["options"] if told["verdict"] else []
    chosen = options[0] if right else options[-1]
    while True:
        answer = player.post("/drill/poker", [("spot", spot), ("answer", chosen["action"])])
        assert answer.status in (200, 202), answer.text
        if answer.status == 200:
            found: Json = answer.json
            return found


def test_drills_count_once_for_each_spot_and_only_if_they_are_posted(app: Flask, alice: Player, bob: Player) -> None:
    dealt(alice)
    drilled(alice, "one", True)
    costly = drilled(alice, "two", False)["verdict"]
    drilled(alice, "two", True)
    drilled(bob, "one", True)
    shares = {found.spot: found.share for found in all_rows(app, "SELECT spot, share FROM drill_answer")}
    assert shares == {"one": 0, "two": pytest.approx(costly["cost"] / costly["best_value"])}
    assert row(app, "SELECT count(DISTINCT player_id) FROM drill_answer") == (1,), "a visitor is nobody yet"
    for wrong in ([("spot", "one")], [("spot", ""), ("answer", "hold")], [("spot", "one"), ("answer", "hit")]):
        assert alice.post("/drill/poker", wrong).status in (404, 422)
    page = alice.post("/drill/poker", [("spot", "one"), ("round", "a.0.1"), ("answer", "hold")], **FORMS["page"])
    assert page.status == 303
    carried = parse_qs(urlsplit(page.headers["location"]).query)
    assert carried == {"spot": ["one"], "answer": ["hold"], "round": ["a.0.1"]}
    assert "Next spot" in alice.get(page.headers["location"], **FORMS["page"]).text
    assert findings(app) == []


def test_no_verdict_is_told_to_a_player_before_the_answer_that_counts(app: Flask, alice: Player) -> None:
    """Whoever has seen the verdict cannot be rated for the answer."""
    dealt(alice)
    drilled(Player(app.test_client()), "one", True)  # it is worked out already
    path = "/drill/poker?spot=one&answer=hold"
    told = alice.get(path).json
    assert (told["verdict"], told["pending"]) == (None, False)
    page = alice.get(path, **FORMS["page"]).text
    assert "What would you do?" in page
    assert "Next spot" not in page
    assert alice.post("/drill/poker", [("spot", "one"), ("answer", "hold-1")]).json["verdict"]
    assert alice.get(path).json["verdict"]
    assert "Next spot" in alice.get(path, **FORMS["page"]).text
    assert row(app, "SELECT count(*) FROM drill_answer") == (1,)


def test_the_latest_answers_are_kept_and_rated(app: Flask, alice: Player) -> None:
    dealt(alice)
    (player,) = row(app, "SELECT id FROM player")
    with app.app_context():
        for number in range(LATEST):
            values = {"game": "poker", "spot": f"s{number}", "at": number, "share": 0.1}
            db.session.add(DrillAnswer(player_id=player, **values))
        db.session.commit()
        db.session.remove()
    drilled(alice, "one", True)
    assert row(app, "SELECT count(*), min(at) FROM drill_answer") == (LATEST, 1)
    (told,) = alice.get("/me/rating").json["ratings"]
    assert (told["game"], told["kind"], told["decisions"]) == ("poker", "drill", LATEST)
    assert told["points"] == pytest.approx(900, abs=2)
    page = alice.get("/me/rating", **FORMS["page"]).text
    assert f"{told['points']} ±{told['within']}" in page
    alice.post("/me/forget", [("sure", "1")])
    assert row(app, "SELECT count(*) FROM drill_answer") == (0,)
    with app.app_context():
        assert personal_data.is_forgotten(player)


def test_hands_count_by_what_their_decisions_cost_and_not_by_what_came_or_with_help(
    app: Flask, alice: Player, reviews: None
) -> None:
    keys = []
    for _ in range(LEAST + 2):
        dealt(alice)
        keys.append(finished(alice))
    told = []
    for key in keys:
        while (answer := alice.get(f"/h/{key}/review")).status != 200:
            assert answer.status == 202
        told.append(answer.json)
    run_timer(app, "reviews that were worked out")
    tamper(app, "UPDATE hand SET helped = :yes WHERE key = :key", yes=True, key=keys[0])
    graded = [[one for one in each["decisions"] if one["grade"]] for each in told[1:]]
    shares = [one["cost"] / one["best_value"] for each in reversed(graded) for one in each]
    (found,) = alice.get("/me").json["ratings"]
    wanted = rated(shares)
    assert (found["decisions"], found["points"], found["within"]) == (len(shares), wanted.points, wanted.within)
    tamper(app, "UPDATE hand SET payouts = '77777' WHERE key = :key", key=keys[1])
    with app.app_context():
        hand = db.session.get_one(Hand, keys[1])
        assert json.dumps(ratings.ratings_of(hand.player_id)[0].points) == str(wanted.points)
        db.session.remove()
    assert "Played hands" in alice.get("/me/decisions", **FORMS["page"]).text
