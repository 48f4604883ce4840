"""Sealed seeds: forged, truncated, swapped or lost ones cost nothing; new keys and wrong keys are survived."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support.app import KEY
from tests.support.cookies import content_of, cookie_of, send_from_now_on, signed, tab_of
from tests.support.moves import (
    asked,
    dealt,
    dealt_and_live,
    every_game,
    finished,
    finished_json,
    next_move,
    sealed,
    stakes_of,
)
from tests.support.player import Player
from tests.support.rows import findings, row, rows, tamper
from tests.support.secret_scan import cards_in
from webapp.services.fairness.sealing import Sealer

DAY = 24 * 3600 * 1000


def with_box(app: Flask, player: Player, box: Any) -> None:
    """Give the player a correctly signed cookie with this value as the box of the open hand."""
    content = content_of(app, cookie_of(player))
    send_from_now_on(player, signed(app, {**content, "box": {deck_of(app, player): box}}))


def deck_of(app: Flask, player: Player) -> str:
    """Return the only deck in the cookie: that of the hand, or its shoe."""
    (key,) = content_of(app, cookie_of(player))["box"]
    return str(key)


def box_of(app: Flask, player: Player) -> str:
    return str(content_of(app, cookie_of(player))["box"][deck_of(app, player)])


def forged(app: Flask, player: Player) -> dict[str, Any]:
    """Return boxes that do not belong to this hand, by what is wrong with them."""
    box, other, deck = box_of(app, player), Player(app.test_client()), deck_of(app, player)
    dealt(other, game=player.game)
    owner = content_of(app, cookie_of(player))["player"]
    ours, strange = Sealer([KEY]), Sealer(["a key of somebody else"])
    return {
        "empty": "",
        "cut": box[:-7],
        "its first half": box[: len(box) // 2],
        "with a letter changed": box[:40] + ("A" if box[40] != "A" else "B") + box[41:],
        "text": "gAAAAA" + "x" * 200,
        "not ASCII": "札" * 50,
        "a number": 7,
        "a dict": {"box": box},
        "another hand's": box_of(app, other),
        "sealed by a stranger": strange.seal(deck, owner, bytes(32)),
        "with another seed": ours.seal(deck, owner, bytes(32)),
        "another player's": ours.seal(deck, "somebody", bytes(32)),
        "with too short a seed": ours.seal(deck, owner, bytes(31)),
    }


KINDS = (
    "empty", "cut", "its first half", "with a letter changed", "text", "not ASCII", "a number", "a dict",
    "another hand's", "sealed by a stranger", "with another seed", "another player's", "with too short a seed",
)  # fmt: skip


@every_game
@pytest.mark.parametrize("kind", KINDS)
def test_a_live_hand_goes_on_after_a_forged_box_was_refused(site: Flask, visitor: Player, game: str, kind: str) -> None:
    board = dealt_and_live(visitor, game)
    move = next_move(board, Random(1))
    with_box(site, visitor, forged(site, visitor)[kind])
    before = rows(site)
    said = visitor.do(move)
    assert (visitor.status, said["error"]) == (409, "box-broken")
    assert said["message"].startswith("The sealed deck in your cookie does not open.")
    assert rows(site) == before
    assert visitor.look()["view"] == board["view"], "the sealed seed in the row is read from now on"
    assert visitor.do(move)["step"] == 1
    hand = finished_json(visitor, finished(visitor))
    for stands_for in ("joker", "stand_ins"):  # cards that were not dealt
        board["view"].pop(stands_for, None)
    assert set(cards_in(str(board["view"]).replace("'", '"'))) <= set(hand["cards"][0])


@every_game
@pytest.mark.parametrize("kind", KINDS)
def test_a_ready_hand_with_a_forged_box_is_dealt_from_its_row(
    site: Flask, visitor: Player, game: str, kind: str
) -> None:
    """It has a cut, so it is not put away."""
    first = sealed(visitor, game)
    with_box(site, visitor, forged(site, visitor)[kind])
    board = visitor.deal("cut", stakes_of(visitor))
    assert (visitor.status, board["note"]) == (200, None)
    assert (board["hand"], board["commitment"], board["cut"]) == (first["hand"], first["commitment"], "cut")


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_whoever_sits_down_with_a_forged_box_finds_the_hand_again(app: Flask, alice: Player, accept: str) -> None:
    """A GET reports it and changes nothing; sitting down drops a box that cannot be opened."""
    board = dealt(alice)
    with_box(app, alice, "forged")
    looked = alice.get("/play/poker", Accept=accept)
    assert looked.status == 409
    assert "set-cookie" not in looked.headers
    assert alice.get("/", Accept=accept).status == 200
    for _ in range(2):
        alice.post("/play/poker", Accept=accept)
    assert alice.look("poker")["view"] == board["view"]
    assert alice.act("hold")["step"] == 1


@pytest.mark.parametrize("boxes", [[], "box", 7, {"x": 1}, {"x" * 300: {"y": []}}], ids=repr)
def test_strange_things_in_place_of_all_boxes_are_as_good_as_none(site: Flask, visitor: Player, boxes: Any) -> None:
    board = dealt(visitor)
    content = content_of(site, cookie_of(visitor))
    send_from_now_on(visitor, signed(site, {**content, "box": boxes}))
    assert visitor.look()["view"] == board["view"]
    assert visitor.act("hold")["step"] == 1


@pytest.mark.parametrize("player", [7, None, [], "", "nobody", "x" * 300], ids=repr)
def test_a_cookie_of_a_player_whom_nobody_knows_gets_a_fresh_start(app: Flask, player: Any) -> None:
    """This happens after restoring a backup from before that player's time."""
    stranger = Player(app.test_client())
    send_from_now_on(stranger, signed(app, {"player": player, "box": {"gone": "gone"}}))
    assert stranger.get("/").status == 200
    assert stranger.get("/me/hands").status == 200
    assert stranger.look("poker")["hand"] is None
    dealt(stranger)
    assert (stranger.status, stranger.board["seq"]) == (200, 1)
    finished(stranger)
    assert findings(app) == []


@pytest.mark.parametrize("content", [[], [1], "text", 7, None, {}], ids=repr)
def test_a_signed_cookie_that_is_no_session_is_no_harm(site: Flask, content: Any) -> None:
    stranger = Player(site.test_client())
    send_from_now_on(stranger, signed(site, content))
    assert stranger.get("/").status == 200
    assert stranger.get("/play/poker").status == 200


# ------------------------------------------------------------------------------------------------ keys


def test_a_hand_goes_on_when_keys_are_rotated_twice(deployed: Callable[..., Flask]) -> None:
    alice = Player(deployed("one").test_client())
    sealed(alice)
    alice = tab_of(alice, deployed("two", "one"))
    board = alice.deal("cut")
    assert alice.status == 200
    alice = tab_of(alice, deployed("three", "two", "one"))
    assert alice.look()["view"] == board["view"]
    assert alice.act("hold", 1, 2, 3)["step"] == 1
    site = deployed("four", "three", "two", "one")
    alice = tab_of(alice, site)
    hand = finished_json(alice, finished(alice))
    assert hand["cards"][0][:5] == board["view"]["hand"]
    assert findings(site) == []


def test_a_double_up_goes_on_when_keys_are_rotated(deployed: Callable[..., Flask]) -> None:
    alice = Player(deployed("one").test_client())
    asked(alice)
    alice = tab_of(alice, deployed("two", "one"))
    alice.act("double")
    open_card = alice.board["view"]["rounds"][-1]["open"]
    alice = tab_of(alice, deployed("three", "two", "one"))
    assert alice.look()["view"]["rounds"][-1]["open"] == open_card
    finished(alice)


def test_a_hand_whose_box_is_lost_goes_on_by_the_row_under_new_keys(deployed: Callable[..., Flask]) -> None:
    first = deployed("one")
    alice = Player(first.test_client())
    board = dealt(alice)
    content = content_of(first, cookie_of(alice))
    rotated = deployed("two", "one")
    alice = tab_of(alice, rotated)
    send_from_now_on(alice, signed(rotated, {"player": content["player"]}))
    assert alice.look()["view"] == board["view"]
    finished(alice)
    assert findings(rotated) == []


@pytest.mark.parametrize("form", [{}, {"Accept": "text/html"}, {"Accept": "text/html", "HX_Request": "true"}])
def test_a_wrong_key_deployed_for_a_minute_wipes_nobody(deployed: Callable[..., Flask], form: dict[str, str]) -> None:
    right = deployed("right")
    alice = Player(right.test_client())
    board = dealt(alice)
    before = rows(right)
    lost = tab_of(alice, deployed("wrong"))
    for path in ("/", "/play/poker", "/me", "/me/hands", "/fair", f"/play/poker?hand={alice.hand}"):
        assert "set-cookie" not in lost.get(path, **form).headers
    posts = {
        "/play/poker": [("table", "quest")],
        f"/play/poker/{alice.hand}/0": [("verb", "hold")],
        "/settings": [("name", "Alice")],
    }
    for path, fields in posts.items():
        answer = lost.post(path, fields, **form)
        assert answer.status == 403, path
        assert "leave it alone" in answer.text
        assert "set-cookie" not in answer.headers
    assert rows(right) == before
    back = tab_of(lost, deployed("right"))
    assert back.look()["view"] == board["view"]
    assert back.act("hold")["step"] == 1


def test_whoever_wants_to_start_afresh_can_even_with_an_unreadable_cookie(deployed: Callable[..., Flask]) -> None:
    alice = Player(deployed("right").test_client())
    dealt(alice)
    lost = tab_of(alice, deployed("wrong"))
    assert lost.post("/afresh").status == 303
    assert cookie_of(lost) == ""
    assert dealt(lost)["seq"] == 1


def test_an_old_page_that_offers_to_start_afresh_takes_no_readable_cookie(deployed: Callable[..., Flask]) -> None:
    """Another tab still shows it from the minute in which the key was missing."""
    alice = Player(deployed("right").test_client())
    dealt(alice)
    lost = tab_of(alice, deployed("wrong"))
    page = lost.post("/play/poker", Accept="text/html").text
    assert '<input type="hidden" name="unreadable" value="1">' in re.sub(r"\s+", " ", page)
    assert alice.post("/afresh", [("unreadable", "1")]).status == 303
    assert alice.look("poker")["hand"] == alice.hand
    assert lost.post("/afresh", [("unreadable", "1")]).status == 303
    assert cookie_of(lost) == ""


@pytest.mark.parametrize("damage", ["cut", "swapped", "one letter", "not ASCII", "huge", "dots"])
def test_a_damaged_cookie_is_left_alone(app: Flask, alice: Player, bob: Player, damage: str) -> None:
    dealt(alice)
    dealt(bob)
    cookie, other = cookie_of(alice), cookie_of(bob)
    payload, stamp, signature = cookie.rsplit(".", 2)
    damaged = {
        "cut": cookie[:-3],
        "swapped": ".".join((payload, stamp, other.rsplit(".", 1)[1])),
        "one letter": ("X" if cookie[5] != "X" else "Y").join((cookie[:5], cookie[6:])),
        "not ASCII": "札札札",
        "huge": "x" * 4000,
        "dots": "....",
    }[damage]
    before = rows(app)
    send_from_now_on(alice, damaged)
    assert alice.get("/play/poker").json["hand"] is None
    said = alice.post(f"/play/poker/{alice.hand}/0", [("verb", "hold")])
    assert (said.status, said.json["error"]) == (403, "cookie-unreadable")
    assert "set-cookie" not in said.headers
    assert rows(app) == before
    send_from_now_on(alice, cookie)
    assert alice.act("hold")["step"] == 1
    assert signature


# ------------------------------------------------------------------------------------------------ seals that no key opens


def seal_of_a_lost_key(app: Flask, player: Player) -> None:
    """Replace the seals of a live hand by those of a lost key."""
    owner = content_of(app, cookie_of(player))["player"]
    token = Sealer(["gone"]).seal(player.hand, owner, bytes(32))
    tamper(app, "UPDATE hand SET sealed_seed = :token WHERE key = :key", token=token, key=player.hand)
    with_box(app, player, token)


def test_hands_that_no_key_opens_keep_nobody_else_from_playing(app: Flask, bob: Player) -> None:
    """Overdue hands are closed by the next visitor who sits down."""
    for _ in range(5):
        lost = Player(app.test_client())
        dealt(lost)
        seal_of_a_lost_key(app, lost)
        tamper(app, "UPDATE hand SET moved_at = moved_at - :day WHERE key = :key", day=2 * DAY, key=lost.hand)
    honest = Player(app.test_client())
    dealt(honest)
    tamper(app, "UPDATE hand SET moved_at = moved_at - :day WHERE key = :key", day=DAY + 60_000, key=honest.hand)
    for _ in range(3):
        dealt(bob)
        assert bob.status == 200
        finished(bob)
    assert row(app, "SELECT status FROM hand WHERE key = :key", key=honest.hand) == ("forfeited",)
    assert len(findings(app)) == 5, "and the audit names them"


def test_a_hand_that_no_key_opens_is_refused_clearly(app: Flask, alice: Player) -> None:
    dealt(alice)
    seal_of_a_lost_key(app, alice)
    for _ in range(2):
        assert alice.act("hold")["error"] == "deck-sealed"
        assert alice.status == 409
    assert alice.get("/play/poker").status == 409
    assert alice.get("/").status == 200
    assert alice.post("/afresh").status == 303
    assert dealt(alice)["seq"] == 1
