"""A wrong system clock costs nobody a hand or a name."""

import re
import time
from datetime import datetime

import pytest
from flask import Flask
from structlog.testing import capture_logs

from tests.support.clock import Clock as FakeClock
from tests.support.clock import set_clock
from tests.support.moves import asked, dealt, finished, sealed
from tests.support.player import Player
from tests.support.rows import findings
from webapp.services.core import clock as clock_module

HOUR = 3600
MONTH = 30 * 24 * HOUR

now = time.time


@pytest.mark.parametrize("seconds", [-1, -HOUR, -10 * MONTH, HOUR, MONTH])
def test_a_clock_that_jumps_logs_nobody_out(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    assert alice.post("/settings", [("name", "Alice")]).status == 303
    sealed(alice)
    set_clock(monkeypatch, seconds)
    board = alice.deal("cut")
    assert (alice.status, board["status"]) == (200, "live")
    assert alice.act("hold", 1, 2, 3)["step"] == 1
    finished(alice)
    assert alice.get("/me").json["name"] == "Alice"
    assert findings(app) == []


@pytest.mark.parametrize("there_and_back", [(-1, 0), (-HOUR, HOUR), (MONTH, 0), (HOUR, -HOUR)])
def test_a_clock_that_jumps_in_the_middle_of_a_hand_changes_nothing(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch, there_and_back: tuple[int, int]
) -> None:
    board = dealt(alice)
    for seconds in there_and_back:
        set_clock(monkeypatch, seconds)
        assert alice.look()["view"] == board["view"]
    assert alice.act("hold")["step"] == 1
    finished(alice)
    dealt(alice)
    finished(alice)
    assert [hand["seq"] for hand in alice.get("/me").json["hands"]] in ([2, 1], [1, 2])
    assert findings(app) == []


@pytest.mark.parametrize(("seconds", "held"), [(-MONTH, False), (-61, False), (59, False), (61, True), (MONTH, True)])
def test_nothing_expires_for_an_hour_after_the_clock_was_set_forward(
    app: Flask, clock: FakeClock, seconds: int, held: bool
) -> None:
    with app.app_context(), capture_logs() as logged:
        assert not clock_module.was_set_forward(), "it was never set"
        clock.set(seconds)
        assert clock_module.was_set_forward() == held
        clock.set(-seconds)
        for _ in range(2):
            assert clock_module.was_set_forward() == (held or seconds < -60), "set back, and so forward again"
            clock.move(HOUR - 1)
        clock.move(2)
        assert not clock_module.was_set_forward()
        clock.move(MONTH)
        assert not clock_module.was_set_forward(), "time that passes is no step"
    said = [line["seconds"] for line in logged if line["event"] == "the time of day was set"]
    assert said == ([] if abs(seconds) < 60 else [seconds, -seconds])


def test_the_end_of_a_hand_is_told_to_the_second_in_utc(app: Flask, alice: Player) -> None:
    dealt(alice)
    before = int(now())
    page = alice.get(f"/h/{finished(alice)}.json").json
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", page["finished_at"])
    assert before <= datetime.fromisoformat(page["finished_at"]).timestamp() <= now()


def test_a_cookie_signed_in_the_future_is_read(app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flask's own sessions would reject it, and the player would be lost."""
    set_clock(monkeypatch, MONTH)
    board = sealed(alice)  # sets the cookie, which is read for the first time after the clock was set back
    set_clock(monkeypatch, 0)
    assert alice.look()["hand"] == board["hand"]
    set_clock(monkeypatch, MONTH)
    board = asked(alice)
    set_clock(monkeypatch, 0)
    assert alice.look()["view"] == board["view"]
    assert alice.act("collect")["status"] == "done"


def test_the_cookie_outlives_a_year(alice: Player) -> None:
    sealed(alice)
    assert "Expires=" in alice.answer.headers["set-cookie"]
    kept = alice.line.client.get_cookie("tefuda")
    assert kept is not None
    assert kept.expires is not None
    assert kept.expires.timestamp() > now() + 365 * 24 * HOUR
