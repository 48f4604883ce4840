"""Links that sign another browser in: good once and for ten minutes, and nothing is lost with a wrong one."""

import json

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.concurrency import at_once
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import row, rows
from tests.support.table_players import seated

HTML = {"Accept": "text/html"}


def made(player: Player) -> str:
    """Make a link, and return its path."""
    player.post("/me/link")
    assert player.status == 201, player.answer.text
    return "/me/link/" + str(player.answer.json["url"]).rpartition("/")[2]


def arrive(player: Player, path: str, once: str = "") -> int:
    player.post(path, [("once", once)] if once else [])
    return player.status


@pytest.fixture
def phone(app: Flask) -> Player:
    """A browser that has never been here."""
    return Player(app.test_client())


def test_a_link_takes_hands_purse_name_settings_and_the_open_hand_along(alice: Player, phone: Player) -> None:
    alice.post("/settings", [("name", "Grace"), ("theme", "dark")])
    dealt(alice)
    key = finished(alice)
    dealt(alice)
    path = made(alice)
    shown = phone.get(path).json
    assert (shown["name"], shown["hands"], shown["you"]) == ("Grace", 2, False)
    assert arrive(phone, path) == 303
    assert phone.answer.headers["location"].startswith("/me")
    told = phone.get("/me").json
    assert (told["name"], [hand["hand"] for hand in told["hands"]]) == ("Grace", [key])
    assert phone.look("poker")["hand"] == alice.look("poker")["hand"]
    finished(phone)
    assert len(alice.get("/me").json["hands"]) == 2, "both browsers are the same player"
    assert 'data-theme="dark"' in phone.get("/me", **HTML).text


def test_a_seat_at_a_shared_table_comes_along(app: Flask, phone: Player) -> None:
    host, _ = seated(app, 2)
    assert arrive(phone, made(host)) == 303
    assert phone.get(f"/t/{host.code}").json["you"] == host.you


def test_looking_at_a_link_changes_nothing(app: Flask, alice: Player, phone: Player) -> None:
    dealt(alice)
    path = made(alice)
    before = rows(app)
    for _ in range(3):
        page = phone.get(path, **HTML)
        assert page.status == 200
        assert (page.headers["x-robots-tag"], page.headers["cache-control"]) == ("noindex", "no-store")
        assert "set-cookie" not in page.headers
    assert phone.line.ask("HEAD", path, [], {}).status == 200
    assert rows(app) == before


def test_a_link_is_good_once(app: Flask, alice: Player, phone: Player) -> None:
    dealt(alice)
    path, thief = made(alice), Player(app.test_client())
    assert arrive(phone, path, "of-the-phone") == 303
    assert arrive(thief, path, "of-the-thief") == 410
    assert thief.answer.json["error"] == "link-used"
    assert thief.get(path).status == 410
    assert thief.get("/me").json["hands"] == []
    assert phone.look("poker")["hand"] == alice.look("poker")["hand"]


def test_of_two_browsers_that_use_a_link_at_once_one_is_signed_in(app: Flask, alice: Player) -> None:
    dealt(alice)
    path = made(alice)
    others = [Player(app.test_client()) for _ in range(4)]

    def use(other: Player) -> dict[str, object]:
        arrive(other, path, f"word-{others.index(other)}")
        return {}

    assert sorted(status for status, _ in at_once(others, use)) == [303, 410, 410, 410]


def test_a_form_whose_answer_was_lost_may_be_sent_again(app: Flask, alice: Player, phone: Player) -> None:
    dealt(alice)
    path, unheard = made(alice), Player(app.test_client())
    assert arrive(unheard, path, "the-same-word") == 303
    assert arrive(phone, path, "the-same-word") == 303
    assert phone.look("poker")["hand"] == alice.look("poker")["hand"]


def test_a_link_opened_on_the_same_browser_says_so(alice: Player) -> None:
    dealt(alice)
    path = made(alice)
    assert alice.get(path).json["you"] is True
    assert "plays as you already" in alice.get(path, **HTML).text
    assert arrive(alice, path) == 303
    assert alice.get(path).json["you"] is True, "it is not used up"


def test_a_link_expires_and_a_new_one_voids_the_one_before(alice: Player, phone: Player, clock: Clock) -> None:
    dealt(alice)
    first, second = made(alice), made(alice)
    assert arrive(phone, first) == 404
    clock.move(10 * 60 + 1)
    assert arrive(phone, second) == 404
    assert phone.answer.json["error"] == "link-over"
    assert arrive(phone, made(alice)) == 303


def test_signing_out_everywhere_else_ends_links_and_the_browsers_that_used_them(alice: Player, phone: Player) -> None:
    dealt(alice)
    hand = alice.hand
    assert arrive(phone, made(alice)) == 303
    path = made(alice)
    alice.post("/me/end-other-sessions")
    assert alice.status == 303
    assert phone.get("/me").json["name"] == ""
    assert phone.look("poker").get("hand") != hand
    assert arrive(phone, path) == 404


def test_a_browser_with_hands_of_its_own_is_told_what_it_leaves(alice: Player, bob: Player) -> None:
    dealt(alice)
    dealt(bob)
    mine = bob.hand
    path = made(alice)
    page = bob.get(path, **HTML).text
    assert "hands of its own" in page
    assert 'action="/me/link"' in page, "it can take a link to its own along first"
    back = made(bob)
    assert arrive(bob, path) == 303
    assert bob.look("poker")["hand"] == alice.look("poker")["hand"]
    assert arrive(bob, back) == 303
    assert bob.look("poker")["hand"] == mine


def test_only_a_hash_of_the_word_is_stored_and_it_is_in_no_export(app: Flask, alice: Player) -> None:
    dealt(alice)
    word = made(alice).rpartition("/")[2]
    (hashed,) = row(app, "SELECT word_hash FROM sign_in_link")
    assert word not in str(rows(app))
    export = alice.line.ask("GET", "/me/export", [], {}).text
    assert "sign_in_link" in export
    assert "/me" in json.loads(export)["way_back"]
    assert str(hashed) not in export


def test_who_has_never_played_has_nothing_to_take_along(phone: Player) -> None:
    phone.post("/me/link")
    assert phone.status == 403
    assert phone.answer.json["error"] == "nobody-yet"


def test_who_is_forgotten_leaves_no_link(app: Flask, alice: Player, phone: Player) -> None:
    dealt(alice)
    path = made(alice)
    alice.post("/me/forget", [("sure", "1")])
    assert row(app, "SELECT count(*) FROM sign_in_link") == (0,)
    assert arrive(phone, path) == 404


def test_the_pages_work_without_scripts(alice: Player, phone: Player) -> None:
    dealt(alice)
    alice.post("/me/link", Accept="text/html")
    assert alice.status == 201
    page = alice.answer.text
    assert "<svg" in page
    assert "/me/link/" in page
