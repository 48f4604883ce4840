"""A new browser becomes one player: in several tabs at once, and never if it keeps no cookies."""

import re
from threading import Barrier, Thread

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import cookie_of, send_from_now_on
from tests.support.databases import on_both
from tests.support.languages import CODES
from tests.support.player import Answer, Fields, Player
from tests.support.rows import findings, row, rows, tamper
from webapp.services.deals.daily import update_deals

WORD = "a-word-that-only-this-browser-knows"
FIRST = {
    "/play/poker": [],
    "/play/blackjack": [("table", "vegas"), ("stake", "10")],
    "/tables": [],
    "/settings": [("name", "Bob")],
    "/lab": [("rounds", "1000"), ("strategy", "mimic"), ("nonce", "n")],
}
SENTENCE = "Your browser keeps no cookies for this site"


def as_a_page(player: Player, path: str, fields: Fields, word: str | None = WORD, **headers: str) -> Answer:
    """Send a form of a page, and again where the answer asks for that, as browsers do."""
    fields = [*fields, *([] if word is None else [("newcomer", word)])]
    answer = player.post(path, fields, **({"Accept": "text/html", "HX_Request": "true"} | headers))
    while answer.status == 307:
        answer = player.post(answer.headers["location"], fields, **({"Accept": "text/html"} | headers))
    return answer


class Forgetful(Player):
    """A browser that keeps no cookies."""

    def _ask(self, *args, **fields):  # type: ignore[no-untyped-def]
        answer = super()._ask(*args, **fields)
        send_from_now_on(self, "")
        return answer


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", FIRST)
def test_a_browser_that_keeps_no_cookies_is_told_so_and_makes_nobody(app: Flask, path: str, form: str) -> None:
    before = rows(app)
    for language in CODES:
        for word in (WORD, ""):
            player = Forgetful(app.test_client())
            answer = as_a_page(player, path, FIRST[path], word, **FORMS[form], Accept_Language=language)
            assert answer.status == 403, path
            assert "cookie" in answer.text.lower()
            assert (SENTENCE in answer.text) == (language == "en")
    assert rows(app) == before


@pytest.mark.parametrize("path", FIRST)
def test_one_that_keeps_them_begins_as_before(app: Flask, alice: Player, path: str) -> None:
    assert as_a_page(alice, path, FIRST[path]).status in (200, 201, 303)
    assert row(app, "SELECT count(*) FROM player") == (1,)
    assert cookie_of(alice)


def test_a_program_begins_with_its_first_request(app: Flask, alice: Player) -> None:
    assert alice.sit("poker")["status"] == "ready"
    assert alice.status == 201


def test_a_page_of_a_player_whose_cookie_is_gone_says_so(app: Flask, alice: Player) -> None:
    """It was made when there was one, so it has no field for a new player."""
    as_a_page(alice, "/play/poker", [])
    alice.look("poker")
    send_from_now_on(alice, "")
    fields = [("verb", "deal"), ("cut", "x"), ("table", "quest")]
    page = {"Accept": "text/html", "Referer": "http://localhost/play/poker"}
    for _ in range(2):
        answer = alice.post(f"/play/poker/{alice.hand}/0", fields, **page)
        assert answer.status == 403
        assert SENTENCE in answer.text
    assert row(app, "SELECT count(*) FROM player") == (1,)


@on_both
def test_two_tabs_that_begin_at_once_are_one_player_and_keep_both_hands(app: Flask) -> None:
    games = ("poker", "joker", "blackjack")
    tabs = [Player(app.test_client()) for _ in games]
    together = Barrier(len(games))

    def begin(tab: Player, game: str) -> None:
        together.wait()
        as_a_page(tab, f"/play/{game}", [])

    threads = [Thread(target=begin, args=each) for each in zip(tabs, games, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert row(app, "SELECT count(*) FROM player") == (1,)
    for tab in tabs:  # the browser keeps the cookie of whichever answer came last
        for game in games:
            assert tab.look(game)["status"] == "ready"
    for tab, game, stakes in zip(tabs, games, ((), (5,), (10,)), strict=True):
        send_from_now_on(tab, cookie_of(tabs[0]))
        tab.look(game)
        assert tab.deal("cut", stakes)["note"] is None
    assert findings(app) == []


def test_a_tab_without_scripts_that_begins_a_moment_later_is_the_same_player(app: Flask) -> None:
    """Before the other one is a player: its cookie has the word already."""
    one, other = (Player(app.test_client()) for _ in range(2))
    asked = one.post("/play/poker", [("newcomer", "")], Accept="text/html")
    assert asked.status == 307
    send_from_now_on(other, cookie_of(one))
    as_a_page(one, asked.headers["location"], [], word="")
    as_a_page(other, "/play/joker", [], word="")
    assert row(app, "SELECT count(*) FROM player") == (1,)


@pytest.mark.parametrize("what", ["a minute later", "all sessions ended", "another word", "a short word"])
def test_the_word_is_no_key_to_a_player(app: Flask, alice: Player, bob: Player, what: str) -> None:
    word = "short" if what == "a short word" else WORD
    as_a_page(alice, "/play/poker", [], word)
    if what == "a minute later":
        tamper(app, "UPDATE player SET created_at = created_at - 61000")
    elif what == "all sessions ended":
        alice.post("/me/end-other-sessions", [])
    as_a_page(bob, "/play/poker", [], "another-word-of-some-length" if what == "another word" else word)
    assert row(app, "SELECT count(*) FROM player") == (2,)
    assert bob.look("poker")["hand"] != alice.look("poker")["hand"]


def test_every_form_that_may_make_a_player_has_the_field(app: Flask, alice: Player, bob: Player) -> None:
    as_a_page(bob, "/tables", [("public", "1")])
    table = bob.answer.headers["location"]
    with app.app_context():
        update_deals()
    for page, action in {
        "/": "/play/poker",
        "/play/poker": "/play/poker",
        "/tables": "/tables",
        "/lab": "/lab",
        "/me/settings": "/settings",
        "/daily": "/daily/poker",
        table: table,
    }.items():
        text = alice.get(page, Accept="text/html").text
        forms = re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.*?)</form>', text, re.DOTALL)
        assert any('name="newcomer"' in inside for to, inside in forms if to.startswith(action)), page
