"""Abandoned hands: forfeited and revealed after a day, a few at a time, and never by a GET."""

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock, run_timer
from tests.support.moves import asked, dealt, dealt_and_live, finished, finished_json, picking, sealed
from tests.support.player import Player
from tests.support.rows import DAY, findings, let_a_day_pass, row, tamper
from webapp.engine.games import SOLO
from webapp.services.fairness.verification import checks
from webapp.services.solo.expiry import AT_ONCE


@pytest.mark.parametrize("phase", ["exchange", "ask", "pick"])
def test_a_hand_without_a_move_for_a_day_is_forfeited_and_revealed(
    app: Flask, alice: Player, bob: Player, phase: str
) -> None:
    board = {"exchange": dealt, "ask": asked, "pick": picking}[phase](alice)
    assert board["view"]["phase"] == phase
    key, cards, purse = alice.hand, board["view"]["hand"], board["purse"]
    sealed(bob)
    assert alice.look()["status"] == "live", "not before its time"
    let_a_day_pass(app, key)
    sealed(bob)
    assert alice.look()["hand"] is None
    hand = finished_json(bob, key)
    assert (hand["status"], hand["payouts"]) == ("forfeited", [0])
    assert hand["cards"][0][:5] == cards or phase != "exchange"
    assert all(check.ok for check in checks(hand))
    for suffix in ("", ".txt", ".png", "?step=0"):
        assert bob.line.client.get(f"/h/{key}{suffix}").status_code == 200
    late = alice.act("hold", step=0, hand=key)
    assert (alice.status, late["status"]) == (200, "forfeited")
    assert late["note"] in ("moved-on", "repeated")
    fresh = sealed(alice)
    assert (fresh["seq"], fresh["purse"]) == (board["seq"] + 1, purse)
    assert findings(app) == []


@pytest.mark.parametrize("game", SOLO)
def test_who_comes_back_to_it_in_a_page_is_told_why(app: Flask, alice: Player, bob: Player, game: str) -> None:
    dealt_and_live(alice, game)
    let_a_day_pass(app, alice.hand)
    sealed(bob, game)
    late = alice.post(f"/play/{game}/{alice.hand}/0", [("verb", alice.actions[0].split("-")[0])], **FORMS["fragment"])
    assert late.status == 200
    said, seen = late.text.split("data-board=", 1)
    for told_there in (said, seen):
        assert "It was left for a day" in told_there
        assert "moved on" not in told_there


def test_the_timer_of_the_site_closes_what_was_left_for_a_day_though_nobody_comes(
    app: Flask,
) -> None:
    people = [Player(app.test_client()) for _ in range(2 * AT_ONCE)]
    for player in people[1:]:
        dealt_and_live(player, "blackjack")  # each has a shoe, too
    dealt(people[0])
    for player in people:
        let_a_day_pass(app, player.hand)
    tamper(app, "UPDATE shoe SET moved_at = moved_at - :s", s=DAY + 60_000)
    app.extensions["timer"].start()
    app.extensions["timer"].stop()  # waits for what is under way
    assert row(app, "SELECT count(*) FROM hand WHERE status = 'forfeited'") == (len(people),)
    assert row(app, "SELECT count(*) FROM shoe WHERE closed_at IS NULL") == (0,)
    assert findings(app) == []


def test_a_day_less_a_minute_is_not_a_day(app: Flask, alice: Player, bob: Player) -> None:
    dealt(alice)
    let_a_day_pass(app, alice.hand, DAY - 60)
    sealed(bob)
    assert alice.look()["status"] == "live"
    assert alice.act("hold", 1)["step"] == 1


def test_only_looking_expires_nothing(app: Flask, alice: Player) -> None:
    dealt(alice)
    let_a_day_pass(app, alice.hand)
    for path in ("/", "/play/poker", "/me", "/me/hands", "/me/decisions"):
        alice.get(path)
    assert alice.act("hold")["step"] == 1, "a late player who comes first still plays on"


def test_many_forgotten_hands_are_closed_a_few_at_a_time(app: Flask, bob: Player) -> None:
    for _ in range(7):
        dealt(Player(app.test_client()))
    tamper(app, "UPDATE hand SET moved_at = moved_at - :s", s=2000 * DAY)
    open_ones = []
    for _ in range(3):
        dealt(bob)
        finished(bob)
        open_ones.append(row(app, "SELECT count(*) FROM hand WHERE status = 'live'")[0])
    assert open_ones == [4, 1, 0]
    assert findings(app) == []


@pytest.mark.parametrize("game", SOLO)
def test_a_clock_that_jumps_two_days_ahead_and_back_ends_no_hand(
    app: Flask, clock: Clock, alice: Player, bob: Player, game: str
) -> None:
    """Neither the timer nor a stranger who sits down, nor the player who looks at the hand meanwhile."""
    dealt_and_live(alice, game)
    run_timer(app)
    key, step, purse = alice.hand, alice.step, alice.board.get("purse")
    clock.set(2 * DAY)
    sealed(bob, game)
    run_timer(app, "overdue hands", "abandoned tables", "pruning")
    assert alice.sit(game)["hand"] == key, "it is still open for whoever sits down to it"
    clock.move(10)
    clock.set(-2 * DAY)
    sealed(bob, game)
    run_timer(app, "overdue hands")
    assert (alice.look()["status"], alice.hand, alice.step, alice.board.get("purse")) == ("live", key, step, purse)
    assert row(app, "SELECT count(*) FROM hand WHERE status = 'forfeited'") == (0,)
    clock.move(2 * DAY)  # and what is really late is forfeited, when the hour is over
    run_timer(app, "overdue hands")
    assert row(app, "SELECT status FROM hand WHERE key = :key", key=key) == ("forfeited",)
    assert findings(app) == []


def test_after_an_hour_a_clock_that_was_set_is_believed(app: Flask, clock: Clock, alice: Player) -> None:
    dealt(alice)
    run_timer(app)
    clock.set(2 * DAY)
    for minutes, status in ((0, "live"), (59, "live"), (2, "forfeited")):
        clock.move(60 * minutes)
        run_timer(app, "overdue hands")
        assert row(app, "SELECT status FROM hand WHERE key = :key", key=alice.hand) == (status,)
