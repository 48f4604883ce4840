"""A player's name is what others see: it can be seen, is nobody else's, and stays as it was written."""

import re

import pytest
from flask import Flask

from tests.database.rows import rows
from tests.tables.guests import Guest, betting
from tests.web.forms import FORMS
from tests.web.player import Player
from webapp.web.request.preferences import LANGUAGES

UNSEEN = ("\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u0301", "\u0301\u20dd", "\ufe0f", "\u17b4", "\u034f", "a\u3164b", "\u2800x")  # fmt: skip
MACHINES = (
    "House bot 2", "house bot 17", "HOUSEBOT2", "Ｈｏｕｓｅ　ｂｏｔ　２", "House-bot_2", "House bot", "House bot \u0301 ②",
    "ボット 2", "ボット２", "ﾎﾞｯﾄ 2", "ボット", "机器人 2", "机器人１", "机器人",
)  # fmt: skip
HONEST = ("Housebot fan", "My house", "Bot", "ロボット", "机器人迷", "e\u0301lan", "❤️", "한글", "🃏", "Seat belt")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_that_cannot_be_seen_is_refused(house: Flask, guest: Player, name: str, form: str) -> None:
    guest.post("/settings", [("name", "Alice")])
    before = rows(house)
    answer = guest.post("/settings", [("name", name)], **FORMS[form])
    assert answer.status == 422
    assert "A name has at most 24 characters, and none that cannot be seen." in answer.text
    assert rows(house) == before


@pytest.mark.parametrize("name", MACHINES)
def test_nobody_is_called_like_a_machine_of_the_house(house: Flask, guest: Player, name: str) -> None:
    guest.post("/settings", [("name", "Alice")])
    before = rows(house)
    for language in LANGUAGES:
        answer = guest.post("/settings", [("name", name)], Accept_Language=language)
        assert (answer.status, answer.json["error"]) == (422, "machines-name")
    for form in FORMS.values():
        assert "That is what the house calls its machines." in guest.post("/settings", [("name", name)], **form).text
    assert rows(house) == before


def test_nor_by_sitting_down_or_opening_a_table(app: Flask, alice: Player) -> None:
    code = betting(app, 2)[0].code
    late = Guest(app.test_client())
    late.come(code)
    assert late.do("sit", 4, name="House bot 3")["you"] is None
    assert (late.status, late.answer.json["error"]) == (422, "machines-name")
    opened = alice.post("/tables", [("name", "house BOT 3")])
    assert (opened.status, opened.json["error"]) == (422, "machines-name")


@pytest.mark.parametrize("name", HONEST)
def test_other_names_are_kept(guest: Player, name: str) -> None:
    assert guest.post("/settings", [("name", name)]).status == 303
    assert guest.get("/me").json["name"] in (name, "élan")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["鈴木、 花子", "李：  明", "え？\u3000ほんと", "a， b"])
def test_a_page_shows_a_name_as_it_is_kept_and_saving_it_again_changes_nothing(
    guest: Player, name: str, language: str
) -> None:
    guest.post("/settings", [("name", name)])
    kept = guest.get("/me").json["name"]
    page = guest.get("/me", Accept="text/html", Accept_Language=language).text
    (shown,) = re.findall(r'name="name"[^>]*value="([^"]*)"', page)
    assert shown == kept
    assert guest.post("/settings", [("name", shown)]).status == 303
    assert guest.get("/me").json["name"] == kept
