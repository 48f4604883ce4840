"""The review of a finished hand: computed once, stored, and shown as JSON, text and page."""

import os
import signal
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.support.clock import run_timer
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Json, Player
from webapp.engine.games import GAMES
from webapp.engine.notation import loads
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import review
from webapp.engine.odds.value import MemoryStore
from webapp.extensions import db
from webapp.models import DecisionStatistics, Review
from webapp.services.core import context
from webapp.services.core.errors import Refusal
from webapp.services.records.lookup import finished_hand
from webapp.services.review import worker
from webapp.services.review.statistics import decisions_of
from webapp.services.review.worker import ReviewWorker
from webapp.web.hand_page.picture.picture_store import Pictures
from webapp.web.hand_page.picture.subject import Subject
from webapp.web.i18n.review_words import change
from webapp.web.i18n.unit_words import in_unit

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PAGE = {"Accept": "text/html"}
PART = {**PAGE, "HX-Request": "true"}


@pytest.fixture(autouse=True)
def _worker_is_closed(app: Flask, reviews: None) -> Iterator[None]:
    """Close the worker processes; the app stays for the session."""
    yield
    with app.app_context():
        context.current().get(ReviewWorker, ReviewWorker).stop()


def reviewed(player: Player, key: str) -> Json:
    """Request the hand until its review is there."""
    for _ in range(200):
        answer = player.get(f"/h/{key}/review")
        if answer.status == 200:
            run_timer(player.line.client.application, "reviews that were worked out")
            found: Json = answer.json
            return found
        assert answer.status == 202, answer.text
    raise AssertionError("no review")


def test_a_finished_hand_is_reviewed_once_and_counted_once(app: Flask, alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    told = reviewed(alice, key)
    page = alice.get(f"/h/{key}.json").json
    assert page["review"] == told
    line = loads(page["notation"])
    document = review(GAMES["poker"], odds_of(GAMES["poker"]), line.setup, line.moves, MemoryStore())
    assert (told["cost"], told["luck"], told["payout"]) == (document["cost"], document["luck"], page["payouts"][0])
    assert told["start"] + told["luck"] - told["cost"] == pytest.approx(told["payout"])
    first = told["decisions"][0]
    assert (first["action"], len(first["options"])) == (page["moves"][0], 32)
    with app.app_context():
        context.current().get(ReviewWorker, ReviewWorker).stop()
        assert reviewed(alice, key) == told, "as it was stored: nobody works it out again"
        assert db.session.query(Review).count() == 1
        (row,) = db.session.query(DecisionStatistics)
        (table,) = decisions_of(row.player_id)
    graded = [decision for decision in told["decisions"] if decision["grade"]]
    assert (table.hands, table.decisions) == (1, len(graded))
    assert table.cost == pytest.approx(told["cost"])
    assert table.luck_deviation == pytest.approx(abs(told["luck"]))


@SQLITE
def test_the_text_and_the_page_say_what_the_review_says(alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    told = reviewed(alice, key)
    text = alice.get(f"/h/{key}.txt").text
    assert f"start {told['start']} + luck {told['luck']} - cost {told['cost']} = payout {told['payout']}" in text
    page = alice.get(f"/h/{key}?step=0", **PAGE).text
    assert f'id="decision-{told["decisions"][0]["step"]}"' in page
    assert f"grade--{told['decisions'][0]['grade']}" in page
    assert "hx-get" not in page[page.index('id="review"') : page.index('id="review-title"')]


@SQLITE
def test_a_page_without_a_review_has_it_loaded_after_and_a_link_without_a_script(alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    page = alice.get(f"/h/{key}", **PAGE).text
    assert f'href="/h/{key}/review' in page
    assert 'hx-trigger="load"' in page
    plain = alice.get(f"/h/{key}/review", **PAGE)
    assert (plain.status, plain.headers["location"].endswith("#review")) == (303, True)
    reviewed(alice, key)
    part = alice.get(f"/h/{key}/review?step=0", **PART)
    assert part.status == 200
    assert part.text.strip().startswith("<section")
    assert 'id="verdict" hx-swap-oob="true"' in part.text


@SQLITE
def test_the_picture_waits_for_no_review_and_has_it_once_it_is_stored(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    drawn: list[str] = []

    def draw(_self: object, _key: str, subject: Subject) -> bytes:
        drawn.append(subject.small)
        return b""

    monkeypatch.setattr(Pictures, "picture", draw)
    before = alice.get(f"/h/{key}.png")
    told = reviewed(alice, key)
    after = alice.get(f"/h/{key}.png")
    assert drawn == ["", f"{drawn[1].split(', result')[0]}, result {in_unit(change(told['payout']), 'score')}"]
    assert [answer.headers["cache-control"] for answer in (before, after)] == [
        "public, max-age=60",
        "public, max-age=86400",
    ]


@SQLITE
def test_a_hand_in_play_has_no_review(alice: Player) -> None:
    board = dealt_and_live(alice, "blackjack")
    for path in (f"/h/{board['hand']}/review", f"/h/{board['hand']}.json"):
        answer = alice.get(path)
        assert (answer.status, answer.json["error"]) == (404, "hand-not-found")


@SQLITE
def test_more_unreviewed_hands_than_the_queue_holds_are_asked_to_come_back(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "QUEUE", 2)
    waits = ReviewWorker(app.extensions["config"])
    monkeypatch.setattr(waits, "_advance", lambda: None)  # no review is computed
    assert waits.ask("a", "line", 0) is None
    assert waits.ask("b", "line", 0) is None
    assert waits.ask("a", "line", 0) is None, "it waits already"
    with pytest.raises(Refusal, match="odds-later"):
        waits.ask("c", "line", 0)


@SQLITE
def test_a_hand_that_ends_the_process_has_no_review_and_the_next_one_has(app: Flask) -> None:
    works = ReviewWorker(app.extensions["config"])
    line = "poker/quest - 4h7s8sKhTh6s,6d9c2c4sJh hold-1-3,double,pick-4,collect 100"
    try:
        assert works.ask("a", line, 0) is None
        for _ in range(worker.TRIES):
            while works._process is None:  # another one tries
                assert works.ask("a", line, 0) is None
            process = works._process
            process.kill()
            process.wait()
            while works._process is process:
                told = works.ask("a", line, 0)
        assert told is not None
        assert told["error"] == "no-odds"
        told = next(found for _ in range(200) if (found := works.ask("b", "not a line", 1)))
        assert told["error"] == "impossible-spot"
    finally:
        works.stop()


@SQLITE
def test_ones_own_page_says_what_decisions_come_to_and_works_off_what_is_left(app: Flask, alice: Player) -> None:
    keys = []
    for _ in range(2):
        dealt_and_live(alice, "poker")
        keys.append(finished(alice))
    assert alice.get("/me").json["decisions"] == []
    assert 'hx-get="/me/decisions"' in alice.get("/me", **PAGE).text
    for _ in range(200):
        run_timer(app, "reviews that were worked out")
        part = alice.get("/me/decisions", **PART).text
        if "data-poll" not in part:
            break
    (table,) = alice.get("/me").json["decisions"]
    told = [alice.get(f"/h/{key}.json").json["review"] for key in keys]
    graded = [decision for review in told for decision in review["decisions"] if decision["grade"]]
    assert (table["game"], table["table"], table["hands"], table["decisions"]) == ("poker", "quest", 2, len(graded))
    assert table["cost"] == pytest.approx(sum(review["cost"] for review in told))
    assert table["luck"] == pytest.approx(sum(review["luck"] for review in told))
    assert table["best"] == sum(decision["grade"] == "best" for decision in graded)
    dear = sorted((decision["cost"] for decision in graded if decision["cost"]), reverse=True)
    assert [decision["cost"] for decision in table["dearest"]] == dear
    assert part.count("/odds/poker?") == len(dear)


@SQLITE
def test_a_process_that_is_killed_costs_no_review(app: Flask, alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    with app.app_context():
        hand = finished_hand(key)
        reviewer = context.current().get(ReviewWorker, ReviewWorker)
        assert reviewer.ask(key, hand.notation, 0) is None
        process = reviewer._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert reviewed(alice, key)["decisions"]
