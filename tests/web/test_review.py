"""The review of a finished hand: computed once, stored, and shown as JSON, text and page."""

import os
import re
import signal
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.support.clock import run_timer
from tests.support.databases import on_both
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Player
from tests.support.reviews import reviewed
from webapp.engine.games import GAMES
from webapp.engine.notation import loads
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import review
from webapp.engine.odds.value import MemoryStore
from webapp.extensions import db
from webapp.models import DecisionStatistics, Review
from webapp.services.core.errors import Refusal
from webapp.services.review import worker
from webapp.services.review.statistics import decisions_of
from webapp.services.review.worker import ReviewWorker
from webapp.services.workers import Places, Pool
from webapp.web.hand_page.picture_store import Pictures
from webapp.web.hand_page.picture_subject import Subject

PAGE = {"Accept": "text/html"}
PART = {**PAGE, "HX-Request": "true"}


@pytest.fixture(autouse=True)
def _reviews_are_wanted(reviews: None) -> None:
    """Have finished hands reviewed."""


@on_both
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
        app.extensions["workers"].stop()
        assert reviewed(alice, key) == told, "as it was stored: nobody works it out again"
        assert db.session.query(Review).count() == 1
        (row,) = db.session.query(DecisionStatistics)
        (table,) = decisions_of(row.player_id)
    graded = [decision for decision in told["decisions"] if decision["grade"]]
    assert (table.hands, table.decisions) == (1, len(graded))
    assert table.cost == pytest.approx(told["cost"])
    assert table.luck_deviation == pytest.approx(abs(told["luck"]))


def test_the_text_and_the_page_say_what_the_review_says(alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    told = reviewed(alice, key)
    text = alice.get(f"/h/{key}.txt").text
    assert f"start {told['start']} + luck {told['luck']} - cost {told['cost']} = payout {told['payout']}" in text
    page = alice.get(f"/h/{key}?step=0", **PAGE).text
    assert f'id="decision-{told["decisions"][0]["step"]}"' in page
    assert f"grade--{told['decisions'][0]['grade']}" in page
    shown = re.findall(r'class="review__action">(\d+) ·', page)
    assert shown == [str(each["step"] + 1) for each in told["decisions"]], "as below the bars"
    assert "hx-get" not in page[page.index('id="review"') : page.index('id="review-title"')]


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
    reviewed(alice, key)
    after = alice.get(f"/h/{key}.png")
    assert drawn[0] == "" and drawn[1]
    assert [answer.headers["cache-control"] for answer in (before, after)] == [
        "public, max-age=60",
        "public, max-age=86400",
    ]


def test_a_hand_in_play_has_no_review(alice: Player) -> None:
    board = dealt_and_live(alice, "blackjack")
    for path in (f"/h/{board['hand']}/review", f"/h/{board['hand']}.json"):
        answer = alice.get(path)
        assert (answer.status, answer.json["error"]) == (404, "hand-not-found")


LINE = "poker/quest - 6c4cAhTdAd hold-1-2-3-4-5,collect 50"
LONG_LINE = "joker/arcade 1 4hKh4c7d3d stop 1"


@pytest.fixture
def pool() -> Iterator[Pool]:
    with Pool(2, places=Places(visitor=2)) as made:
        yield made


def test_more_unreviewed_hands_than_there_are_places_are_asked_to_come_back(app: Flask, pool: Pool) -> None:
    waits = ReviewWorker(app.extensions["config"], pool)
    for key in ("a", "b"):
        waits._reviews[key] = pool.ask(partial(time.sleep, 5), 60)
    with pytest.raises(Refusal, match="odds-later"):
        waits.ask("c", LINE, 0)


def test_a_hand_that_cannot_be_reviewed_is_not_tried_again_and_the_next_one_is_reviewed(
    app: Flask, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = ReviewWorker(app.extensions["config"], pool)
    for key, task in (("dies", die), ("fails", fail), ("hangs", hang)):
        monkeypatch.setattr(worker, "REVIEW_SECONDS", 0.2 if task is hang else 60)
        with monkeypatch.context() as patch:
            patch.setattr(worker, "answered", task)
            assert works.ask(key, LINE, 60) == {"error": "no-odds", "text": "this hand cannot be reviewed"}
    told = works.ask("nonsense", "not a line", 60)
    assert told is not None and told["error"] == "impossible-spot"
    for number in range(worker.MOST_KEPT + 1):  # others that were reviewed since do not make it forget
        works._reviews[str(number)] = Future()
    monkeypatch.setattr(worker, "answered", None)
    assert all("error" in (works.ask(key, LINE, 0) or {}) for key in ("dies", "fails", "hangs", "nonsense"))
    monkeypatch.undo()
    monkeypatch.setattr(works, "_reviews", OrderedDict())
    assert "decisions" in (works.ask("good", LINE, 60) or {})


def test_a_review_that_was_cut_off_is_worked_out_later(app: Flask, pool: Pool) -> None:
    """The site was about to end, and goes on."""
    works = ReviewWorker(app.extensions["config"], pool)
    assert works.ask("a", LINE, 0) is None
    pool.stop()
    assert works.ask("a", LINE, 0) is None
    assert "decisions" in (works.ask("a", LINE, 120) or {})


def test_tables_that_take_a_minute_hold_no_other_review_up(app: Flask, pool: Pool, tmp_path: Path) -> None:
    """The arcade's table has three exchanges; its tables are not there on a new site."""
    config = app.extensions["config"].model_copy(update={"instance": tmp_path})
    works = ReviewWorker(config, pool)
    while not any(task.is_long for task in pool._running):
        assert works.ask("arcade", LONG_LINE, 0.1) is None
    assert "decisions" in (works.ask("short", LINE, 60) or {})
    assert works.ask("arcade", LONG_LINE, 0) is None, "it goes on meanwhile"


def die(*_: object) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def fail(*_: object) -> str:
    raise ValueError


def hang(*_: object) -> str:
    while True:
        pass


def test_ones_own_page_says_what_decisions_come_to_and_works_off_what_is_left(app: Flask, alice: Player) -> None:
    keys = []
    for _ in range(2):
        dealt_and_live(alice, "poker")
        keys.append(finished(alice))
    assert alice.get("/me").json["decisions"] == []
    assert 'hx-get="/me/decisions"' in alice.get("/me/decisions", **PAGE).text
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
    assert "Cost per 100 hands" not in part and "Given away" in part, "two hands are no rate"


def test_costly_decisions_show_the_cards_of_both_sides(app: Flask, alice: Player) -> None:
    for _ in range(4):
        dealt_and_live(alice, "blackjack")
        finished(alice)
    for _ in range(200):
        run_timer(app, "reviews that were worked out")
        if "data-poll" not in alice.get("/me/decisions", **PART).text:
            break
    (table,) = alice.get("/me").json["decisions"]
    assert table["dearest"]
    part = alice.get("/me/decisions", **PART).text
    for dear in table["dearest"]:
        at = alice.get(f"/h/{dear['key']}?ask={dear['step']}").json["view"]
        assert dear["dealer"] == at["dealer"][0]
        assert f"cards.svg#c-{dear['dealer']}" in part
