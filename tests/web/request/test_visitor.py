"""The cookie identifies a player; a stolen one can be invalidated."""

import re
from collections.abc import Callable

from flask import Flask

from tests.support.command_line import CommandResult
from tests.support.cookies import cookie_of
from tests.support.databases import on_both
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings, row


def with_cookie(app: Flask, cookie: str) -> Player:
    client = app.test_client()
    client.set_cookie("tefuda", cookie)
    return Player(client)


def test_a_player_ends_all_sessions_but_their_own(app: Flask, alice: Player) -> None:
    dealt(alice, game="joker")
    thief = with_cookie(app, cookie_of(alice))
    assert thief.look("joker")["hand"] == alice.hand
    done = alice.post("/me/end-other-sessions", [])
    assert done.status == 303
    assert thief.look("joker")["hand"] is None, "an empty table, as anybody's"
    assert thief.post(f"/play/joker/{alice.hand}/0", [("verb", "hold")]).status == 404
    assert thief.get("/me").json["games"] == []
    assert alice.look("joker")["hand"] == alice.hand
    assert alice.act("hold")["step"] == 1
    thief.sit("joker")
    assert findings(app) == []
    assert row(app, "SELECT count(*) FROM player") == (2,), "the thief is somebody else now"


def test_an_answer_that_was_lost_costs_no_player_their_hands(app: Flask, alice: Player) -> None:
    """The browser still has its old cookie and repeats the form, as a proxy does when a process ends."""
    dealt(alice)
    before = cookie_of(alice)
    thief, owner, other_tab = (with_cookie(app, before) for _ in range(3))
    found = re.search(r'name="once" value="(\w+)"', alice.get("/me/settings", Accept="text/html").text)
    assert found
    form = [("once", found[1])]
    assert alice.post("/me/end-other-sessions", form).status == 303
    assert "saved" in owner.post("/me/end-other-sessions", form).headers["location"]
    for player in (alice, owner):
        assert player.look("poker")["hand"] == alice.hand
    for guess in ([], [("once", "guess")], [("once", "")]):
        assert "saved" not in thief.post("/me/end-other-sessions", guess).headers["location"]
        assert thief.look("poker")["hand"] is None
    other_tab.line.client.set_cookie("tefuda", cookie_of(owner))
    assert "saved" in other_tab.post("/me/end-other-sessions", form).headers["location"]
    assert other_tab.look("poker")["hand"] == alice.hand
    assert owner.look("poker")["hand"] is None, "that was said with the new cookie: the one before is worthless too"
    assert "saved" not in owner.post("/me/end-other-sessions", [("once", "another")]).headers["location"]


@on_both
def test_two_tabs_that_end_all_others_leave_the_browser_one_of_both_answers(app: Flask, alice: Player) -> None:
    dealt(alice)
    tabs = [with_cookie(app, cookie_of(alice)) for _ in range(2)]
    done = ["saved" in tab.post("/me/end-other-sessions", [("once", f"tab-{tab}")]).headers["location"] for tab in tabs]
    assert done == [True, False]
    assert ["set-cookie" in tab.answer.headers for tab in tabs] == [True, False], "whichever answer comes last"


def test_whoever_has_not_played_ends_nothing(app: Flask, alice: Player) -> None:
    assert alice.post("/me/end-other-sessions", []).status == 303
    assert row(app, "SELECT count(*) FROM player") == (0,)


def test_an_operator_ends_the_sessions_of_a_player_or_of_whose_hand_it_is(
    app: Flask, alice: Player, bob: Player, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(alice)
    key = finished(alice)
    dealt(bob)
    (bobs,) = row(app, "SELECT player_id FROM hand WHERE key = :key", key=bob.hand)
    assert alice.get("/me").json["games"]
    assert tefuda("player", "revoke", key).status == 0
    assert alice.get("/me").json["games"] == []
    assert bob.get("/me").json["games"]
    assert tefuda("player", "revoke", bobs).status == 0
    assert bob.get("/me").json["games"] == []
    assert tefuda("player", "revoke", "nobody").status == 2
    assert alice.sit("poker")["hand"], "and begins anew"
