"""Hands that nobody looks at are reviewed, too, some time after they were finished."""

import fcntl
import threading
import time
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.support.clock import be_later
from tests.support.moves import dealt_and_live, finished
from tests.support.player import Player
from tests.support.rows import row
from webapp.extensions import db
from webapp.models import Review
from webapp.services.core.errors import Refusal
from webapp.services.review import schedule
from webapp.services.review.schedule import Sweep
from webapp.services.review.worker import ReviewWorker

WORKED_OUT = {
    "decisions": [],
    "start": 0,
    "luck": 0,
    "cost": 0,
    "payout": 0,
    "exact": True,
    "method": "made up",
    "seats": [{"seat": 0, "start": 0, "luck": 0, "cost": 0, "payout": 0, "steps": []}],
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, reviews: None) -> list[str]:
    """Keys of the hands whose review was requested; each review is there at once."""
    keys: list[str] = []

    def ask(_self: object, key: str, _line: str, _seconds: float) -> dict[str, object]:
        keys.append(key)
        return WORKED_OUT

    monkeypatch.setattr(ReviewWorker, "ask", ask)
    return keys


@pytest.fixture
def sweeping(app: Flask) -> Iterator[Sweep]:
    with app.app_context():
        yield Sweep(app.extensions["config"])


def passes(monkeypatch: pytest.MonkeyPatch, minutes: float) -> None:
    be_later(monkeypatch, int(60 * minutes))


def played(player: Player, game: str) -> str:
    dealt_and_live(player, game)
    return finished(player)


def test_hands_are_reviewed_a_while_after_they_were_finished_and_once(
    sweeping: Sweep, asked: list[str], alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [played(alice, "joker"), played(alice, "blackjack"), played(bob, "joker")]
    bob.board, bob.game = bob.post("/daily/poker").json, "poker"
    daily = finished(bob)
    assert sweeping.once() == 0, "who plays on is not to be slowed down"
    passes(monkeypatch, 1.1)
    assert sweeping.once() == 4
    assert sorted(asked) == sorted([*keys, daily])
    assert sweeping.once() == 0
    assert db.session.query(Review).count() == 4


def test_one_look_takes_so_many_hands_and_everybody_has_a_turn(
    sweeping: Sweep, asked: list[str], alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "OF_EACH", 1)
    mine = [played(alice, "joker") for _ in range(3)]
    other = played(bob, "joker")
    passes(monkeypatch, 2)
    assert sweeping.once() == 2
    assert other in asked
    assert len(set(mine) & set(asked)) == 1
    monkeypatch.setattr(schedule, "OF_EACH", 5)
    monkeypatch.setattr(schedule, "AT_ONCE", 1)
    assert sweeping.once() == 1


def test_a_full_queue_and_a_hand_that_has_none_hold_nothing_up(
    sweeping: Sweep, asked: list[str], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {played(alice, "joker"), played(alice, "joker")}
    passes(monkeypatch, 2)
    tried: list[str] = []

    def refused(_self: object, key: str, _line: str, _seconds: float) -> dict[str, object]:
        tried.append(key)
        if len(tried) == 1:
            raise Refusal("odds-later")
        return {"error": "no-odds", "text": "none"} if key == tried[0] else WORKED_OUT

    monkeypatch.setattr(ReviewWorker, "ask", refused)
    assert (sweeping.once(), len(tried)) == (0, 1), "people wait: they come first"
    assert sweeping.once() == 1
    assert sweeping.once() == 0
    assert tried[:2] == [tried[0]] * 2
    assert {tried[0], tried[2]} == keys
    assert len(tried) == 3, "what has none is not tried for ever"


def test_one_process_of_an_instance_does_it_at_a_time(
    app: Flask, sweeping: Sweep, asked: list[str], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(alice, "joker")
    passes(monkeypatch, 2)
    with (app.extensions["config"].instance / ".reviews").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert sweeping.once() == 0
    assert sweeping.once() == 1


def test_the_timer_has_it_done_and_stored(
    app: Flask, asked: list[str], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = played(alice, "joker")
    passes(monkeypatch, 2)
    app.extensions["timer"].start()
    until = time.monotonic() + 60
    while row(app, "SELECT count(*) FROM review WHERE key = :key", key=key) != (1,) and time.monotonic() < until:
        threading.Event().wait(0.1)
    app.extensions["timer"].stop()
    assert row(app, "SELECT count(*) FROM review WHERE key = :key", key=key) == (1,)


def test_a_site_without_workers_reviews_nothing(
    app: Flask, asked: list[str], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(alice, "joker")
    passes(monkeypatch, 2)
    with app.app_context():
        assert Sweep(app.extensions["config"].model_copy(update={"lab_workers": 0})).once() == 0
