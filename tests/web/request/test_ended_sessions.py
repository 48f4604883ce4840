"""Ending all other sessions keeps this browser signed in and nobody else, whatever it requests meanwhile.

Responses arrive late and in any order; cookies are stored as browsers do, the latest response's for each name.
"""

from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from itertools import permutations, product
from random import Random

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.support.moves import STAKES, dealt_and_live, every_game, finished, next_move, sealed
from tests.support.player import Player
from tests.support.rows import findings, row, rows
from webapp.services import players

JSON = {"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}
END = ("/me/end-other-sessions", {"once": "a-word-that-nobody-guesses"})
BEGIN = ("/play/joker", {})
NAME = ("/settings", {"name": "Grace"})

Form = tuple[str, dict[str, str]]


@dataclass
class Browser:
    """A browser whose requests and responses are delivered by the test."""

    app: Flask
    cookies: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "Browser":
        return Browser(self.app, dict(self.cookies))

    def send(self, form: Form) -> TestResponse:
        """Send a request with the current cookies; return its response, which has not been delivered yet."""
        return self._ask("POST", *form)

    def take(self, *answers: TestResponse) -> None:
        for line in (line for answer in answers for line in answer.headers.getlist("Set-Cookie")):
            for name, morsel in SimpleCookie(line).items():
                self.cookies.pop(name, None)
                if morsel.value and morsel["max-age"] != "0":
                    self.cookies[name] = morsel.coded_value

    def do(self, form: Form) -> TestResponse:
        answer = self.send(form)
        self.take(answer)
        return answer

    def hand(self) -> str | None:
        """Return the open hand of quest poker of this browser's player."""
        hand: str | None = self._ask("GET", "/play/poker", {}).json["hand"]
        return hand

    def _ask(self, method: str, path: str, form: dict[str, str]) -> TestResponse:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        client = self.app.test_client(use_cookies=False)
        return client.open(path, method=method, data=form or None, headers={**JSON, "Cookie": cookie})


@pytest.fixture
def browser(app: Flask) -> Browser:
    return newcomer(app)


def newcomer(app: Flask) -> Browser:
    browser = Browser(app)
    browser.do(("/play/poker", {}))
    assert browser.hand()
    return browser


@pytest.mark.parametrize("other", [BEGIN, NAME], ids=["sit", "name"])
def test_a_browser_stays_signed_in_and_no_copy_does_in_whatever_order_answers_come(app: Flask, other: Form) -> None:
    """All three requests have the earlier cookies; the second one that ends sessions counts as a repetition."""
    for done, came in product(permutations([END, END, other]), permutations(range(3))):
        browser = newcomer(app)
        hand, thief = browser.hand(), browser.copy()
        answers = [browser.send(form) for form in done]
        assert thief.hand() is None
        for taken in range(1, 4):
            late = browser.copy()
            late.take(*(answers[number] for number in came[:taken]))
            if any(done[number] is END for number in came[:taken]):
                assert late.hand() == hand, (done, came, taken)
                late.do(BEGIN)
                late.do(NAME)
                assert late.hand() == hand, "whatever it asks then"
        assert thief.do(BEGIN).status_code == 201
        assert thief.hand() is None
    assert findings(app) == []


def test_a_late_copy_of_an_answer_takes_no_later_session_back(browser: Browser) -> None:
    hand = browser.hand()
    first, again = browser.send(END), browser.send(END)
    browser.take(first)
    between = browser.copy()
    browser.do(("/me/end-other-sessions", {"once": "another-word"}))
    browser.take(again)
    assert browser.hand() == hand
    assert between.hand() is None
    assert len([name for name in browser.cookies if name != "tefuda"]) <= 2


def test_an_answer_that_was_lost_is_asked_for_again_also_the_second_time(browser: Browser) -> None:
    hand, before = browser.hand(), browser.send(BEGIN)
    browser.do(END)
    browser.take(before)
    again = ("/me/end-other-sessions", {"once": "another-word"})
    assert "saved" in browser.send(again).location
    assert browser.hand() is None, "its answer was lost"
    assert "saved" not in browser.copy().do(END).location, "that word was for another session"
    assert "saved" in browser.do(again).location
    assert browser.hand() == hand


def test_cookies_of_ended_sessions_do_not_pile_up(browser: Browser) -> None:
    hand = browser.hand()
    for number in range(5):
        assert "saved" in browser.do(("/me/end-other-sessions", {"once": f"word-{number}"})).location
        assert len(browser.cookies) == 2
    assert browser.hand() == hand


def test_whoever_is_forgotten_or_begins_afresh_keeps_no_session(app: Flask, browser: Browser) -> None:
    browser.do(END)
    had = browser.copy()
    assert browser.do(("/me/forget", {"sure": "1"})).status_code == 303
    assert browser.cookies == {}
    assert had.hand() is None
    browser.do(("/play/poker", {}))
    assert browser.hand()
    assert row(app, "SELECT count(*) FROM player") == (2,)


def test_a_session_that_was_made_up_is_none(app: Flask, browser: Browser) -> None:
    browser.do(END)
    (name,) = [name for name in browser.cookies if name != "tefuda"]
    for value in ("", "x", "{}", browser.cookies["tefuda"][:-1], "a.b.c"):
        forger = Browser(app, {f"{name}{extra}": value for extra in ("", "1", "x" * 20)})
        assert forger.hand() is None, value


def revoke(app: Flask) -> None:
    with app.app_context():
        players.end_sessions(row(app, "SELECT id FROM player")[0])


@every_game
def test_no_move_of_an_ended_session_is_carried_out(app: Flask, game: str) -> None:
    alice = Player(app.test_client())
    move = next_move(dealt_and_live(alice, game), Random(1))
    revoke(app)
    before = rows(app)
    assert alice.do(move)["error"] == "hand-not-found"
    assert alice.status == 404
    assert rows(app) == before


@every_game
def test_no_hand_of_an_ended_session_is_dealt(app: Flask, game: str) -> None:
    alice = Player(app.test_client())
    sealed(alice, game)
    revoke(app)
    before = rows(app)
    assert alice.deal("cut", STAKES[game])["error"] == "hand-not-found"
    assert rows(app) == before


def test_no_card_of_an_ended_session_is_marked_and_no_practice_hand_goes_on(app: Flask) -> None:
    alice = Player(app.test_client())
    dealt_and_live(alice, "poker")
    practice = alice.post(f"/h/{finished(alice)}/again").json
    own = dealt_and_live(alice, "poker")
    revoke(app)
    before = rows(app)
    for board in (own, practice):
        for verb in ("mark", "hold"):
            answer = alice.post(f"/play/poker/{board['hand']}/{board['step']}", [("verb", verb), ("arg", "1")])
            assert answer.json["error"] == "hand-not-found"
    assert rows(app) == before
