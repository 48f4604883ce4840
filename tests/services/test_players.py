"""Names of players: visible, unique at a table, and shown as they were written."""

import re
import time

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.languages import CODES
from tests.support.player import Player
from tests.support.rows import rows, tamper
from tests.support.table_players import TablePlayer, bet_all, betting, play_out

UNSEEN = (
    *("\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "\u0301", "\u0301\u20dd", "\ufe0f", "\u17b4", "\u034f"),
    *(
        "\ufffc",
        "a\ufffcb",
        "a\U00013441b",
        "a\u3164b",
        "\u2800x",
        "Ann\nBob",
        "Ann\r\nBob",
        "Ann\tBob",
        "Ann\u2028Bob",
        "Ann\x85Bob",
    ),
)
MACHINES = (
    "House bot 2", "house bot 17", "HOUSEBOT2", "Ｈｏｕｓｅ　ｂｏｔ　２", "House-bot_2", "House bot", "House bot \u0301 ②",
    "ボット 2", "ボット２", "ﾎﾞｯﾄ 2", "ボット", "机器人 2", "机器人１", "机器人", "機器人 2", "機器人",
)  # fmt: skip
HONEST = (
    "Housebot fan",
    "My house",
    "Bot",
    "ロボット",
    "机器人迷",
    "e\u0301lan",
    "❤️",
    "한글",
    "🃏",
    "Seat belt",
    "👩\u200d🚀",
    "🏳️\u200d🌈",
    "👨\u200d👩\u200d👧",
    "🧑🏽\u200d🚒",
    "علی\u200cرضا",
    "Bankole",
    "Björk",
    "Đặng Thị",
    "שָׁלוֹם",
    "ไก่",
    "सुश्री",
    "പ്രവീണ്\u200d",  # Malayalam as it was written before Unicode 5.1
    "പ്രവീണ്\u200d ബാബു",
    "র\u200d্যাব",  # Bengali, as Unicode tells to write it
    "ක්\u200dරිස්",
    "ಅರ್\u200cಜುನ್",
    "Владимир",
    "Γιώργος",
    "山田Taro",
    "Dealers choice",
    "Youssef",
    "親方",
    "庄园",
    "Nine wins",
    "Ann wins 500",
    "M3",
    "R2D2",
    "8 Mile",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_that_cannot_be_seen_is_refused(site: Flask, visitor: Player, name: str, form: str) -> None:
    visitor.post("/settings", [("name", "Alice")])
    before = rows(site)
    answer = visitor.post("/settings", [("name", name)], **FORMS[form])
    assert answer.status == 422
    assert "A name has at most 24 characters, and no invisible ones." in answer.text
    assert rows(site) == before


@pytest.mark.parametrize("name", MACHINES)
def test_nobody_is_called_like_a_machine_of_the_site(site: Flask, visitor: Player, name: str) -> None:
    visitor.post("/settings", [("name", "Alice")])
    before = rows(site)
    for language in CODES:
        answer = visitor.post("/settings", [("name", name)], Accept_Language=language)
        assert (answer.status, answer.json["error"]) == (422, "machines-name")
    for form in FORMS.values():
        assert "That is what the house calls its bots." in visitor.post("/settings", [("name", name)], **form).text
    assert rows(site) == before


def test_nor_by_sitting_down_or_opening_a_table(app: Flask, alice: Player) -> None:
    code = betting(app, 2)[0].code
    late = TablePlayer(app.test_client())
    late.come(code)
    assert late.do("sit", 4, name="House bot 3")["you"] is None
    assert (late.status, late.answer.json["error"]) == (422, "machines-name")
    opened = alice.post("/tables", [("name", "house BOT 3")])
    assert (opened.status, opened.json["error"]) == (422, "machines-name")


@pytest.mark.parametrize("name", HONEST)
def test_other_names_are_kept(visitor: Player, name: str) -> None:
    assert visitor.post("/settings", [("name", name)]).status == 303
    assert visitor.get("/me").json["name"] in (name, "élan")


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", ["鈴木、 花子", "李：  明", "え？\u3000ほんと", "a， b"])
def test_a_page_shows_a_name_as_it_is_kept_and_saving_it_again_changes_nothing(
    visitor: Player, name: str, language: str
) -> None:
    visitor.post("/settings", [("name", name)])
    kept = visitor.get("/me").json["name"]
    page = visitor.get("/me/settings", Accept="text/html", Accept_Language=language).text
    (shown,) = re.findall(r'name="name"[^>]*value="([^"]*)"', page)
    assert shown == kept
    assert visitor.post("/settings", [("name", shown)]).status == 303
    assert visitor.get("/me").json["name"] == kept


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Bank",
            "bank",
            "B\u0430nk",
            "Bànk",
            "BANK 2",
            "Dealer",
            "D3aler".replace("3", "\u0435"),
            "You",
            "Y\u043eu",
            "Seat 2",
        ),
        *(
            "Seat",
            "House",
            "House b\u043et",
            "Ηοuse bot".replace("Ηο", "H\u043e"),
            "親",
            "ディーラー",
            "あなた",
            "席 2",
            "庄家",
            "你",
            "莊家",
        ),
        *("8ank", "b4nk", "B4NK 2", "8 4 n k", "D34l3r", "Dea1er", "h0use", "Hou5e b0t 8", "7able 2"),
    ],
)
def test_nobody_is_called_like_the_table_itself(site: Flask, visitor: Player, name: str) -> None:
    visitor.post("/settings", [("name", "Alice")])
    before = rows(site)
    answer = visitor.post("/settings", [("name", name)])
    assert answer.status == 422
    assert answer.json["error"] in ("taken-name", "machines-name")
    assert rows(site) == before


@pytest.mark.parametrize("name", ["Αnn", "Аnn", "m\u043et", "Ꭺnn", "Annа Β"])
def test_a_name_keeps_to_one_alphabet(visitor: Player, name: str) -> None:
    answer = visitor.post("/settings", [("name", name)])
    assert (answer.status, answer.json["error"]) == (422, "mixed-name")


@pytest.mark.parametrize("name", ["A" + "\u0301\u0302" * 11, "n\u0301\u0302\u0303", "ก" + "\u0e49" * 6])
def test_marks_do_not_pile_up(visitor: Player, name: str) -> None:
    answer = visitor.post("/settings", [("name", name)])
    assert (answer.status, answer.json["error"]) == (422, "bad-name")


@pytest.mark.parametrize(
    "name",
    [
        "a\u200db",
        "\u200d🚀",
        "👩\u200d",
        "👩\u200c🚀",
        "\u202eevil",
        "a\u2066b",
        "ab\u200d",
        "کا\u200d",
        "പ\u200d",
        "ണ്\u200d\u200d",
        "a\u200d\u09cd",
        "\u200d്ക",
        "র\u200dব",
    ],
)
def test_joiners_stand_between_emoji_and_beside_viramas_and_nowhere_else(visitor: Player, name: str) -> None:
    assert visitor.post("/settings", [("name", name)]).json["error"] == "bad-name"


@pytest.mark.parametrize(
    "name",
    ["：" * 800 + "1" * 3000 + "x", "1" * 4500, "a" + "\u0301\u0316" * 1200, ": " * 2400, "ﷺ" * 1500],
    ids=("colons and digits", "digits", "marks", "blanks", "one letter for eighteen"),
)
def test_a_long_name_is_refused_at_once(visitor: Player, name: str) -> None:
    """A pattern once took 25 seconds for one of these, and all other visitors waited."""
    visitor.post("/settings", [("name", "Alice")])
    began = time.process_time()
    for path, field in (("/settings", "name"), ("/tables", "name")):
        answer = visitor.post(path, [(field, name)])
        assert (answer.status, answer.json["error"]) == (422, "bad-name")
    assert time.process_time() - began < 0.25


def names_at(visitor: TablePlayer) -> list[str]:
    return [seat["name"] for seat in visitor.see()["seats"]]


def test_two_of_the_same_name_at_a_table_are_told_apart(app: Flask) -> None:
    """Also if names only look alike; the first one keeps the name, and a number stays until its seat is free."""
    visitors = [TablePlayer(app.test_client()) for _ in range(4)]
    code = visitors[0].open()
    for visitor, number, name in zip(visitors, (2, 0, 1, 3), ("Тот", "Tot", "tot", "Ann"), strict=True):
        visitor.come(code)
        visitor.do("sit", number, name=name)
        assert visitor.status == 200, visitor.answer.text
    assert names_at(visitors[0]) == ["Tot 2", "tot 3", "Тот", "Ann"]
    visitors[0].now("leave")
    assert names_at(visitors[1]) == ["Tot 2", "tot 3", "Ann"]
    visitors[3].post("/settings", [("name", "TOT 2")])
    assert names_at(visitors[1]) == ["Tot 2", "tot 3", "TOT 2 2"]


def test_a_name_from_the_right_turns_nothing_round(app: Flask) -> None:
    visitors = betting(app, 2)
    visitors[0].post("/settings", [("name", "שלום")])
    page = visitors[1].get(f"/t/{visitors[1].code}", Accept="text/html").text
    assert 'dir="auto">\u2068שלום\u2069' in page
    assert "שלום" not in page.replace("\u2068שלום\u2069", "")


def test_a_finished_round_keeps_the_names_that_its_players_had(app: Flask) -> None:
    visitors = betting(app, 2)
    for visitor, name in zip(visitors, ("Winner", "Loser"), strict=True):
        visitor.post("/settings", [("name", name)])
    bet_all(visitors)
    play_out(visitors)
    key = visitors[0].see()["last"].removeprefix("/h/")
    before = visitors[0].get(f"/h/{key}.txt").text
    for visitor, name in zip(visitors, ("Loser", "Winner"), strict=True):
        visitor.post("/settings", [("name", name)])
    assert visitors[0].get(f"/h/{key}.txt").text == before
    assert [seat["name"] for seat in visitors[0].get(f"/h/{key}").json["seats"]] == ["Winner", "Loser"]
    tamper(app, "UPDATE round_seat SET name = NULL")
    assert [seat["name"] for seat in visitors[0].get(f"/h/{key}").json["seats"]] == ["Loser", "Winner"], "as before"
