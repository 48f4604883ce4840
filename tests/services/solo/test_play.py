"""Repeated and late requests, other tabs and old cookies: every action happens once."""

from random import Random

import pytest
from flask import Flask

from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed, tab_of
from tests.support.moves import (
    asked,
    dealt,
    dealt_and_live,
    every_game,
    finished,
    finished_json,
    next_move,
    picking,
    sealed,
    sealed_anew,
    sealed_by_an_older_version,
    stakes_of,
)
from tests.support.player import Json, Player
from tests.support.rows import findings, rows


def but_for_the_note(board: Json) -> Json:
    return {name: value for name, value in board.items() if name != "note"}


# ------------------------------------------------------------------------------------------------ lost answers


@every_game
def test_a_deal_whose_answer_was_lost_is_sent_again_and_deals_the_same_cards(alice: Player, game: str) -> None:
    first = dealt(alice, "my-cut", game)
    again = alice.deal("my-cut", first["stakes"])
    assert (alice.status, first["note"], again["note"]) == (200, None, "repeated")
    assert but_for_the_note(again) == but_for_the_note(first)


@every_game
def test_a_deal_sent_again_with_another_cut_changes_nothing(alice: Player, game: str) -> None:
    first = dealt(alice, "my-cut", game)
    other = alice.deal("a-better-cut", first["stakes"])
    assert (alice.status, other["note"]) == (200, "moved-on")
    assert but_for_the_note(other) == but_for_the_note(first)


@every_game
def test_every_move_whose_answer_was_lost_is_sent_again_and_answered_alike(
    app: Flask, alice: Player, game: str
) -> None:
    random = Random(1)
    for _ in range(4):
        dealt(alice, game=game)
        while not alice.over:
            step, move = alice.step, next_move(alice.board, random, greed=0.9)
            verb, *args = move.split("-")
            numbers = [int(arg) for arg in args]
            first = alice.act(verb, *numbers)
            for _ in range(2):
                again = alice.act(verb, *numbers, step=step, hand=first["hand"])
                assert (alice.status, again["note"]) == (200, "repeated")
                assert but_for_the_note(again) == but_for_the_note(first)
    assert findings(app) == []


def test_moves_of_a_finished_hand_sent_again_pay_nothing_more(app: Flask, alice: Player) -> None:
    asked(alice)
    paid = alice.act("collect")
    before = rows(app)
    for step, move in enumerate(finished_json(alice, alice.hand)["moves"]):
        verb, *args = move.split("-")
        again = alice.act(verb, *map(int, args), step=step)
        assert (alice.status, again["note"], again["purse"]) == (200, "repeated", paid["purse"])
    for step in (0, 1, 2, 3, 17, 999_999_999):
        assert alice.act("pick", 4, step=step)["note"] == "moved-on"
    assert rows(app) == before
    assert findings(app) == []


# ------------------------------------------------------------------------------------------------ old cookies


def test_a_saved_cookie_sent_after_the_exchange_cannot_exchange_differently(alice: Player) -> None:
    dealt(alice)
    saved = cookie_of(alice)
    after = alice.act("hold", 1, 2)
    for held in ((), (1, 2, 3), (3, 4, 5)):
        send_from_now_on(alice, saved)
        other = alice.act("hold", *held, step=0)
        assert (alice.status, other["note"]) == (200, "moved-on")
        assert but_for_the_note(other) == but_for_the_note(after)


def test_a_saved_cookie_sent_after_the_pick_cannot_pick_differently(alice: Player) -> None:
    while True:
        board = picking(alice)
        saved, step = cookie_of(alice), alice.step
        after = alice.act("pick", 1)
        if after["status"] == "live":  # won, or equal: there is something to be gained
            break
    assert after["view"]["rounds"][len(board["view"]["rounds"]) - 1]["picked"] == 1
    for pick in (2, 3, 4):
        send_from_now_on(alice, saved)
        other = alice.act("pick", pick, step=step)
        assert (alice.status, other["note"]) == (200, "moved-on")
        assert but_for_the_note(other) == but_for_the_note(after)


def test_a_saved_cookie_cannot_take_a_lost_double_back(app: Flask, alice: Player) -> None:
    while True:
        asked(alice)
        saved, step, purse = cookie_of(alice), alice.step, alice.board["purse"]
        alice.act("double")
        if alice.act("pick", 1)["status"] == "done":
            break
        finished(alice)
    send_from_now_on(alice, saved)
    assert alice.act("collect", step=step)["purse"] == purse
    assert alice.act("collect")["purse"] == purse
    assert findings(app) == []


def test_a_cookie_from_before_the_deal_cannot_deal_again_with_another_cut(alice: Player) -> None:
    sealed(alice)
    saved = cookie_of(alice)
    first = alice.deal("one")
    finished(alice)
    send_from_now_on(alice, saved)
    assert alice.deal("two")["note"] == "moved-on"
    assert alice.board["cut"] == "one"
    assert finished_json(alice, first["hand"])["cards"][0][:5] == first["view"]["hand"]


@every_game
def test_the_cookie_is_written_when_the_player_sits_down_and_when_a_hand_ends(alice: Player, game: str) -> None:
    sealed(alice, game)
    assert "set-cookie" in alice.answer.headers
    alice.deal("cut", stakes_of(alice))
    while not alice.over:
        assert "set-cookie" not in alice.answer.headers
        alice.do(next_move(alice.board, Random(1), greed=1))
    assert ("set-cookie" in alice.answer.headers) == (game != "blackjack"), "the shoe goes on, and is there already"


# ------------------------------------------------------------------------------------------------ two tabs


def test_of_two_tabs_with_different_moves_at_one_step_the_first_wins(alice: Player) -> None:
    dealt(alice)
    tab = tab_of(alice)
    first = alice.act("hold", 1)
    late = tab.act("hold", 2, 3)
    assert (tab.status, late["note"]) == (200, "moved-on")
    assert but_for_the_note(late) == but_for_the_note(first)


def test_of_two_tabs_one_collects_and_the_other_doubles_too_late(app: Flask, alice: Player) -> None:
    asked(alice)
    tab = tab_of(alice)
    paid = alice.act("collect")
    late = tab.act("double")
    assert (tab.status, late["note"], late["status"], late["purse"]) == (200, "moved-on", "done", paid["purse"])
    assert findings(app) == []


def test_two_tabs_sit_at_the_same_hand(alice: Player) -> None:
    first = sealed(alice)
    tab = tab_of(alice)
    second = sealed(tab)
    assert (alice.status, tab.status) == (201, 200)
    assert second == first


@every_game
def test_a_late_cookie_of_another_tab_that_lacks_the_box_does_no_harm(app: Flask, alice: Player, game: str) -> None:
    """The other tab's response was on its way during the deal: its cookie has the player, but not the box."""
    dealt(alice, game=game)
    finished(alice)
    content = content_of(app, cookie_of(alice))
    board = dealt_and_live(alice, game)
    send_from_now_on(alice, signed(app, {"player": content["player"]}))
    assert alice.look()["view"] == board["view"]
    assert alice.do(next_move(board, Random(1)))["step"] == 1
    finished(alice)
    assert findings(app) == []


@pytest.mark.parametrize("game", ["poker", "joker"])
def test_a_box_lost_before_the_deal_makes_the_hand_void_and_the_next_one_is_dealt(
    app: Flask, alice: Player, game: str
) -> None:
    dealt(alice, game=game)
    finished(alice)
    without_box = cookie_of(alice)
    lost, purse = sealed_by_an_older_version(app, alice, game)["hand"], alice.board["purse"]
    send_from_now_on(alice, without_box)
    said = alice.deal("cut", stakes_of(alice))
    assert (alice.status, said["error"]) == (409, "box-lost")
    fresh = sealed_anew(alice, game)
    assert fresh["purse"] == purse
    assert (alice.status, fresh["seq"], fresh["status"]) == (201, 3, "ready")
    assert fresh["hand"] != lost
    alice.deal("cut", stakes_of(alice))
    finished(alice)
    assert alice.get(f"/h/{lost}").status == 404, "nothing was dealt: there is no page"
    assert findings(app) == []


def test_a_mark_may_be_sent_as_often_as_one_likes(alice: Player) -> None:
    dealt(alice)
    path = f"/play/poker/{alice.hand}/0"
    for _ in range(3):
        assert alice.post(path, [("verb", "mark"), ("arg", "2"), ("held", "1")]).json["marks"] == [2]
    assert alice.act("mark", 4)["marks"] == [2, 4]
    assert alice.act("mark", 2)["marks"] == [4]
    assert alice.step == 0
    alice.act("hold", 4)
    late = alice.act("mark", 1, step=0)
    assert (alice.status, late["note"], late["marks"]) == (200, "moved-on", [])


def test_what_is_held_stays_held_while_there_is_another_exchange(alice: Player) -> None:
    """Otherwise pressing the same button again would throw away what was just kept."""
    alice.sit("joker", "arcade")
    alice.deal("cut", [10])
    assert alice.act("hold", 2, 5)["marks"] == [2, 5]
    assert alice.act("mark", 5)["marks"] == [2]
    assert alice.act("hold", 2)["marks"] == [2]
    assert alice.act("hold", 2)["marks"] == [], "that was the last"


@pytest.mark.parametrize("forms", [{"Accept": "text/html", "HX_Request": "true"}, {"Accept": "text/html"}])
def test_a_repeated_move_is_answered_with_the_board_in_pages_too(alice: Player, forms: dict[str, str]) -> None:
    dealt(alice)
    path = f"/play/poker/{alice.hand}/0"
    fields = [("verb", "hold"), ("arg", "1"), ("arg", "2")]
    first, again = alice.post(path, fields, **forms), alice.post(path, fields, **forms)
    assert (first.status, again.status) == ((200, 200) if "HX_Request" in forms else (303, 303))
    late = alice.post(path, [("verb", "hold")], **forms)
    if "HX_Request" in forms:
        assert 'id="room"' in late.text
        assert "moved on" in late.text
