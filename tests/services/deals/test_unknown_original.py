"""Responses to a stranger do not depend on how the first player continued: no byte and no header differs."""

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.services.deals.test_practice import again, original, played
from tests.support.answer_forms import FORMS, headers
from tests.support.moves import every_game
from tests.support.player import Player
from tests.support.rows import tamper
from webapp.web.hand_page.picture_store import Pictures

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

CHANCE = ("Set-Cookie", "Date", "X-Request-Id")
"""Headers that differ between any two answers."""
ANOTHER_WAY = """
    UPDATE hand SET (moves, step, payouts) = (SELECT moves, step, payouts FROM hand AS another WHERE key = :other)
    WHERE key = :key
"""


@pytest.fixture(autouse=True)
def _pictures_as_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace pictures by the text they would show, so that no cached one is used."""
    monkeypatch.setattr(Pictures, "picture", lambda _self, _key, subject: repr(subject).encode())


def answers(app: Flask, game: str, key: str) -> list[str]:
    """Return all responses to a new player of the deal and of a puzzle about it, without random names."""
    stranger = Player(app.test_client())
    again(stranger, key)
    practice, heard = stranger.hand, [stranger.answer.text]
    url = f"/play/{game}/{practice}/0"
    ways: list[Callable[[str], Any]] = [
        lambda form: stranger.line.client.get(f"/play/{game}?hand={practice}", headers=headers(form)),
        lambda form: stranger.line.client.post(f"/h/{key}/again", headers=headers(form)),
        lambda form: stranger.line.client.post(f"{url}/hint", headers=headers(form)),
        lambda form: stranger.line.client.get(f"{url}/verdict", headers=headers(form)),
        lambda form: stranger.line.client.get(f"/h/{key}?ask=0", headers=headers(form)),
        lambda form: stranger.line.client.get(f"/h/{key}/0.png", headers=headers(form)),
        lambda form: stranger.line.client.get("/me/hands", headers=headers(form)),
    ]
    for way in ways:
        for form in FORMS:
            answer = way(form)
            while answer.status_code == 202:  # its tables are being built
                time.sleep(0.1)
                answer = way(form)
            said = [f"{name}: {value}" for name, value in answer.headers if name not in CHANCE]
            heard.append(f"{answer.status_code} {said} {answer.get_data(as_text=True)}")
    return [re.sub(r'name="once" value="\w+"', "", text.replace(practice, "P")) for text in heard]


@every_game
def test_how_the_first_hand_went_on_changes_no_answer(app: Flask, alice: Player, bob: Player, game: str) -> None:
    first = original(alice, game)
    while not first["moves"]:
        first = original(alice, game)
    key = first["hand"]
    again(bob, key)
    bob.do(next(action for action in reversed(bob.actions) if action != first["moves"][0]))
    other = played(bob)
    before = answers(app, game, key)
    tamper(app, ANOTHER_WAY, key=key, other=other)
    assert bob.get(f"/h/{key}.json").json["moves"] == bob.get(f"/h/{other}.json").json["moves"] != first["moves"]
    for one, another in zip(before, answers(app, game, key), strict=True):
        assert one == another
