"""A private link takes over a seat; ending the sessions of a player also ends the links seen there."""

from collections.abc import Callable

import pytest
from flask import Flask

from tests.support.command_line import CommandResult
from tests.support.cookies import content_of, cookie_of, send_from_now_on
from tests.support.rows import findings, row
from tests.support.table_players import TablePlayer, people, playing, seated


def link_of(visitor: TablePlayer) -> str:
    visitor.see()
    return str(visitor.table["seat_link"]).partition("seat=")[2]


def taken(visitor: TablePlayer, code: str, link: str) -> int:
    visitor.come(code)
    visitor.now("take", link)
    return visitor.status


def copy_of(app: Flask, visitor: TablePlayer) -> TablePlayer:
    (thief,) = people(app, 1)
    send_from_now_on(thief, cookie_of(visitor))
    thief.come(visitor.code)
    return thief


def test_whoever_was_signed_out_comes_back_by_no_link(app: Flask) -> None:
    alice, _ = seated(app, 2)
    thief = copy_of(app, alice)
    link = link_of(thief)
    assert link == link_of(alice)
    assert "saved" in alice.post("/me/end-other-sessions").headers["location"]
    assert taken(thief, alice.code, link) == 404
    assert taken(people(app, 1)[0], alice.code, link) == 404
    assert alice.see()["you"] == 0
    assert taken(people(app, 1)[0], alice.code, link_of(alice)) == 200, "her own one is another now"


def test_a_seat_that_was_taken_over_is_the_players_own_again(app: Flask) -> None:
    alice, bob = seated(app, 2)
    link = link_of(copy_of(app, alice))
    (thief,) = people(app, 1)
    assert taken(thief, alice.code, link) == 200
    own = link_of(thief)
    assert (alice.see()["you"], thief.see()["you"]) == (None, 0)
    alice.post("/me/end-other-sessions")
    assert (alice.see()["you"], thief.see()["you"]) == (0, None)
    assert taken(thief, alice.code, own) == 404
    assert bob.see()["you"] == 1
    assert findings(app) == []


def test_a_link_that_was_lent_to_the_player_is_not_shown_to_whoever_was_signed_out(app: Flask) -> None:
    alice, bob = seated(app, 2)
    (friend,) = people(app, 1)
    friend.post("/play/poker")
    assert taken(friend, alice.code, link_of(alice)) == 200
    seen = link_of(copy_of(app, friend))
    friend.post("/me/end-other-sessions")
    assert friend.see()["you"] == 0, "what was lent stays lent"
    assert taken(people(app, 1)[0], alice.code, seen) == 404
    assert bob.see()["you"] == 1


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_operator_who_ends_all_sessions_ends_the_links_too(app: Flask, tefuda: Callable[..., CommandResult]) -> None:
    alice, _ = seated(app, 2)
    link, player = link_of(alice), content_of(app, cookie_of(alice))["player"]
    assert tefuda("player", "revoke", player).status == 0
    assert taken(people(app, 1)[0], alice.code, link) == 404


def test_whoever_is_forgotten_gives_back_a_seat_that_was_lent(app: Flask) -> None:
    visitors = playing(app, 3)
    alice = visitors[0]
    (friend,) = people(app, 1)
    friend.post("/play/poker")
    assert taken(friend, alice.code, link_of(alice)) == 200
    seen = link_of(friend)
    friend.post("/me/forget", [("sure", "1")])
    assert friend.status == 303
    assert alice.see()["you"] == 0
    assert row(app, "SELECT count(*) FROM table_seat WHERE leaving") == (0,)
    assert taken(people(app, 1)[0], alice.code, seen) == 404
    assert findings(app) == []
