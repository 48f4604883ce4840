"""Invalid input: a clear message, the right status, nothing changed, and the same cards on the table."""

from itertools import product
from urllib.parse import quote

import pytest
from flask import Flask
from markupsafe import escape

from tests.support.answer_forms import FORMS, headers
from tests.support.cookies import cookie_of
from tests.support.moves import dealt, finished, finished_json, picking, sealed
from tests.support.player import Json, Player
from tests.support.rows import findings, rows

Fields = list[tuple[str, str]]

HOLD = "Hold cards by their positions, 1 to 5, each at most once. Your hand is as it was."
PICK = "Pick one of the four cards, 1 to 4. The same cards are still on the table."
CUT = "A cut is 1 to 64 letters, digits, _ or -, and not - alone. Nothing was dealt."
STEP = "The number of the move is not valid."
ACTION = "That is not an action of this game."
NOT_NOW = "That is not possible now. Your hand is as it was."
TOO_MUCH = "That was too much at once. Nothing was changed."


def args(*values: str) -> Fields:
    return [("arg", value) for value in values]


def hold(*values: str) -> Fields:
    return [("verb", "hold"), *args(*values)]


def pick(*values: str) -> Fields:
    return [("verb", "pick"), *args(*values)]


def refused(app: Flask, player: Player, path: str, fields: Fields, status: int, sentence: str) -> None:
    """Assert status, message and unchanged board in all three forms, and that nothing was stored."""
    before, cookie, board = rows(app), cookie_of(player), player.board
    for name, form in FORMS.items():
        answer = player.post(path, fields, **form)
        assert (name, answer.status) == (name, status), answer.text[:500]
        assert "set-cookie" not in answer.headers
        if name == "json":
            said: Json = answer.json
            assert said["message"] == sentence
            if isinstance(said.get("hand"), dict):
                assert said["hand"] == board
        else:
            assert sentence in answer.text.replace("&#39;", "'")
            assert ("<html" in answer.text) == (name == "page")
            assert 'id="room"' in answer.text
    assert rows(app) == before
    assert cookie_of(player) == cookie


# ------------------------------------------------------------------------------------------------ moves


@pytest.mark.parametrize(
    "fields",
    [
        hold("0"), hold("6"), hold("-1"), hold("a"), hold(""), hold("1", "1"), hold("1", "6"), hold("1", "2", "3", "4", "5", "5"),
        hold("01"), hold("+1"), hold(" 1"), hold("1 "), hold("1.0"), hold("1e0"), hold("１"), hold("٣"), hold("²"), hold("1\n"),
        hold("1\0"), hold("1,2"), hold("1-2"), hold("999999999"), hold("9" * 400), hold(*["1"] * 61), hold(*["1"] * 2500),
    ],
    ids=lambda fields: "-".join(value[:8] for _, value in fields[:8]),
)  # fmt: skip
def test_a_hold_that_cannot_be_is_refused(site: Flask, visitor: Player, fields: Fields) -> None:
    dealt(visitor)
    refused(site, visitor, f"/play/poker/{visitor.hand}/0", fields, 422, HOLD)
    assert visitor.act("hold", 5, 1)["moves" if "moves" in visitor.board else "step"] == 1, "any order will do"


@pytest.mark.parametrize(
    "fields",
    [
        pick("0"), pick("5"), pick("12"), pick(""), pick(), pick("-1"), pick("a"), pick("１"), pick("٢"), pick("1", "2"),
        pick("1", "1"), pick("1.0"), pick("01"), pick("one"), pick("9" * 30), pick("1;2"),
    ],
    ids=lambda fields: "-".join(value[:8] for _, value in fields),
)  # fmt: skip
def test_a_pick_that_cannot_be_is_refused_and_the_same_cards_stay(site: Flask, visitor: Player, fields: Fields) -> None:
    picking(visitor)
    step, round = visitor.step, len(visitor.board["view"]["rounds"]) - 1
    open_card = visitor.board["view"]["rounds"][-1]["open"]
    refused(site, visitor, f"/play/poker/{visitor.hand}/{step}", fields, 422, PICK)
    after = visitor.act("pick", 3)
    assert (visitor.status, after["note"], after["view"]["rounds"][round]["open"]) == (200, None, open_card)
    hand = finished_json(visitor, finished(visitor))
    assert hand["cards"][1 + round][0] == open_card
    assert hand["moves"][step] == "pick-3"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ([], ACTION),
        ([("verb", "")], ACTION),
        ([("verb", "HO LD")], ACTION),
        ([("verb", "hold-1")], ACTION),
        ([("verb", "hold@2")], ACTION),
        ([("verb", "<script>alert(1)</script>")], ACTION),
        ([("verb", "札")], ACTION),
        ([("verb", "x" * 21)], ACTION),
        ([("verb", "x" * 5000)], ACTION),
        ([("verb", "hold\n")], ACTION),
        ([("verb", "hold\0")], ACTION),
        ([("verb", "fold")], NOT_NOW),
        ([("verb", "deal")], None),
        ([("verb", "stop")], NOT_NOW),
        ([("verb", "double")], NOT_NOW),
        ([("verb", "collect")], NOT_NOW),
        ([("verb", "pick"), ("arg", "1")], PICK),
        ([("verb", "mark")], "Only the cards 1 to 5 can be held, before they are exchanged."),
        ([("verb", "mark"), ("arg", "6")], "Only the cards 1 to 5 can be held, before they are exchanged."),
        ([("verb", "mark"), ("arg", "0")], "Only the cards 1 to 5 can be held, before they are exchanged."),
        (
            [("verb", "mark"), ("arg", "1"), ("arg", "2")],
            "Only the cards 1 to 5 can be held, before they are exchanged.",
        ),
        ([("verb", "mark"), ("arg", "１")], "Only the cards 1 to 5 can be held, before they are exchanged."),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, list) else "",
)
def test_a_verb_that_is_none_or_not_now_is_refused(
    site: Flask, visitor: Player, fields: Fields, sentence: str | None
) -> None:
    dealt(visitor)
    if sentence is None:
        assert visitor.deal("other")["note"] == "moved-on"
        return
    refused(site, visitor, f"/play/poker/{visitor.hand}/0", fields, 422, sentence)
    assert visitor.act("hold")["step"] == 1


@pytest.mark.parametrize(
    "step", ["abc", "-1", "01", "+1", "1.0", "１", "%00", "0%0a", "%20", "9" * 20, "9" * 3000, "0x0", "null"]
)
def test_a_step_that_is_no_number_is_refused(site: Flask, visitor: Player, step: str) -> None:
    dealt(visitor)
    refused(site, visitor, f"/play/poker/{visitor.hand}/{quote(step, safe='%')}", hold("1"), 422, STEP)


@pytest.mark.parametrize("step", ["1", "99", "999999999"])
def test_a_step_ahead_of_the_hand_is_refused_with_the_board(app: Flask, alice: Player, step: str) -> None:
    dealt(alice)
    sentence = "The hand has not come that far. This is how it stands."
    refused(app, alice, f"/play/poker/{alice.hand}/{step}", hold("1"), 409, sentence)


@pytest.mark.parametrize(
    "cut",
    ["-", " ", "a b", "a" * 65, "a" * 3000, "é", "札", "a|b", "a\0b", "a\n", "<b>", "😀", "a.b", "%", "'"],
    ids=lambda cut: ascii(cut[:10]),
)
def test_a_cut_that_is_no_word_is_refused_and_nothing_is_dealt(site: Flask, visitor: Player, cut: str) -> None:
    sealed(visitor)
    refused(site, visitor, f"/play/poker/{visitor.hand}/0", [("verb", "deal"), ("cut", cut)], 422, CUT)
    assert visitor.look()["status"] == "ready"
    assert visitor.deal("cut")["status"] == "live"


@pytest.mark.parametrize("cut", ["a", "--", "_", "Z" * 64, "0", "-a"])
def test_any_word_is_a_cut(visitor: Player, cut: str) -> None:
    assert dealt(visitor, cut)["cut"] == cut
    assert finished_json(visitor, finished(visitor))["proof"]["cuts"] == [cut]


@pytest.mark.parametrize("stake", ["1", "-1", "a", "9" * 30, "１", "1.5", "1e3"])
def test_a_stake_where_none_is_played_for_is_refused(site: Flask, visitor: Player, stake: str) -> None:
    sealed(visitor)
    fields = [("verb", "deal"), ("cut", "x"), ("stake", stake)]
    sentence = "This bet is not possible here. Nothing was dealt or charged."
    refused(site, visitor, f"/play/poker/{visitor.hand}/0", fields, 422, sentence)
    assert visitor.deal("x", [0])["status"] == "live", "no stake, written as nought"


@pytest.mark.parametrize(("stake", "named"), [("5000", True), ("1", False)])
def test_a_bet_above_the_limit_is_refused_with_the_limit(alice: Player, stake: str, named: bool) -> None:
    alice.sit("blackjack")
    said = alice.post(f"/play/blackjack/{alice.hand}/0", [("verb", "deal"), ("cut", "x"), ("stake", stake)])
    assert said.status == 422
    assert ("At most 1,000." in said.json["message"]) == named


# ------------------------------------------------------------------------------------------------ places


KEYS = ("abcdefghij", "x", "x" * 300, "%00", "a%00b", "%E6%9C%AD", "<b>", "..", "' OR 1=1 --", "%FF", "%F0%9F%98%80")


def test_hands_that_do_not_exist_are_not_found(app: Flask, alice: Player) -> None:
    dealt(alice)
    before = rows(app)
    for key, form in product((quote(key, safe="%") for key in KEYS), FORMS.values()):
        assert alice.post(f"/play/poker/{key}/0", hold("1"), **form).status == 404, key
        assert alice.post(f"/play/poker/{key}/0", [("verb", "deal")], **form).status == 404, key
        for address in (f"/h/{key}", f"/h/{key}.json", f"/h/{key}.txt", f"/h/{key}.png", f"/play/poker?hand={key}"):
            assert alice.get(address, **form).status == 404, address
        assert alice.get(f"/me/hands?before={key}", **form).status == 200, key
    assert rows(app) == before


@pytest.mark.parametrize("form", FORMS)
def test_games_that_do_not_exist_are_not_found(visitor: Player, form: str) -> None:
    dealt(visitor)
    for game in ("bridge", "POKER", "%00", "poker%20", "..", "__class__", "x" * 500):
        for answer in (
            visitor.get(f"/play/{game}", **FORMS[form]),
            visitor.post(f"/play/{game}", **FORMS[form]),
            visitor.post(f"/play/{game}/{visitor.hand}/0", hold("1"), **FORMS[form]),
            visitor.get(f"/rules/{game}", **FORMS[form]),
        ):
            assert answer.status == 404, game
    assert visitor.look("poker")["step"] == 0


@pytest.mark.parametrize("form", FORMS)
def test_tables_that_do_not_exist_are_refused_and_make_nobody(site: Flask, visitor: Player, form: str) -> None:
    before = rows(site)
    for table in ("high-roller", "QUEST", "quest ", "<b>", "x" * 3000, "\0", "札", "0", "__init__"):
        for answer in (
            visitor.post("/play/poker", [("table", table)], **FORMS[form]),
            visitor.get(f"/play/poker?table={quote(table)}", **FORMS[form]),
            visitor.get(f"/rules/poker?table={quote(table)}", **FORMS[form]),
        ):
            assert answer.status == 422, table
            assert "There is no table with these rules." in answer.text
            assert "<b>" not in answer.text
            assert "set-cookie" not in answer.headers
    assert rows(site) == before


# ------------------------------------------------------------------------------------------------ requests


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("many", [10_000, 1_000_000])
def test_more_than_a_hand_can_ever_need_is_too_much(site: Flask, visitor: Player, form: str, many: int) -> None:
    dealt(visitor)
    before = rows(site)
    answer = visitor.line.client.post(
        f"/play/poker/{visitor.hand}/0",
        data="verb=hold" + "&arg=1" * many,
        content_type="application/x-www-form-urlencoded",
        headers=headers(form),
    )
    assert answer.status_code == 413
    assert TOO_MUCH in answer.get_data(as_text=True)
    assert rows(site) == before
    assert visitor.act("hold")["step"] == 1


def test_a_form_of_many_parts_is_too_much(site: Flask, visitor: Player) -> None:
    dealt(visitor)
    before = rows(site)
    parts = (
        "".join(f'--x\r\nContent-Disposition: form-data; name="a{n}"\r\n\r\n\r\n' for n in range(2000)) + "--x--\r\n"
    )
    for body in (parts, parts[:15_000] + "\r\n--x--\r\n", "--x\r\nContent-Disposition: form-data"):
        answer = visitor.line.client.post(
            f"/play/poker/{visitor.hand}/0", data=body, content_type="multipart/form-data; boundary=x"
        )
        assert answer.status_code in (413, 422)
    assert rows(site) == before


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "text/xml", "", "application/octet-stream", "nonsense"]
)
def test_only_forms_are_read(site: Flask, visitor: Player, kind: str, form: str) -> None:
    """``text/plain`` is what a form of another site could send without a preflight request."""
    dealt(visitor)
    before = rows(site)
    for path in (f"/play/poker/{visitor.hand}/0", "/play/poker", "/settings", "/afresh"):
        answer = visitor.line.client.post(path, data='{"verb": "hold"}', content_type=kind, headers=headers(form))
        assert answer.status_code == 415, path
        assert "Send the fields as a form. Nothing was changed." in answer.get_data(as_text=True)
        assert "Set-Cookie" not in answer.headers
    assert rows(site) == before
    assert visitor.act("hold")["step"] == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "GET", "TRACE", "PROPFIND"])
def test_a_move_is_a_post_and_nothing_else(site: Flask, visitor: Player, method: str, form: str) -> None:
    dealt(visitor)
    before = rows(site)
    path = f"/play/poker/{visitor.hand}/0"
    answer = visitor.line.client.open(path, method=method, query_string={"verb": "hold"}, headers=headers(form))
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
    assert "This address does not take that kind of request." in answer.get_data(as_text=True)
    assert rows(site) == before


def test_bytes_that_are_no_text_are_refused(app: Flask, alice: Player) -> None:
    dealt(alice)
    before = rows(app)
    for body in (
        b"verb=hold&arg=\xff",
        b"verb=\xff\xfe",
        b"\xff" * 50,
        b"verb=hold&arg=%FF",
        b"%",
        b"=&=&=",
        b"verb=%00",
    ):
        answer = alice.line.client.post(
            f"/play/poker/{alice.hand}/0", data=body, content_type="application/x-www-form-urlencoded"
        )
        assert answer.status_code == 422
    assert rows(app) == before


# ------------------------------------------------------------------------------------------------ names


NAMES = (
    "<script>alert(1)</script",
    "札札札",
    "😀 🃏",
    'O\'Brien & "Co"',
    "</script><b>",
    "{{ 7*7 }}",
    "%s %(x)s",
    "x" * 24,
    "ﷺ",
    "é",
    "-",
)


def test_any_visible_name_is_kept_and_never_becomes_markup(app: Flask, alice: Player, charlie: Player) -> None:
    dealt(alice)
    key = finished(alice)
    for name in NAMES:
        assert alice.post("/settings", [("name", f"  {name} ")]).status == 303
        assert finished_json(charlie, key)["player"] == name
        assert alice.get("/me").json["name"] == name
        for page in (charlie.get(f"/h/{key}", Accept="text/html"), alice.get("/me/settings", Accept="text/html")):
            assert page.status == 200
            assert str(escape(name)) in page.text, name
            assert "<script>alert" not in page.text
            assert "</script><b>" not in page.text
        assert charlie.get(f"/h/{key}.txt").status == 200
    assert charlie.line.client.get(f"/h/{key}.png").data[:4] == b"\x89PNG"


def test_names_that_are_too_long_or_not_to_be_seen_are_refused(app: Flask, alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    before = rows(app)
    for name in ("x" * 25, "x" * 5000, "a\0b", "a\x07", "\u202eevil", "a\u200bb", "\ue000", "a\x7f"):
        for form in FORMS.values():
            answer = alice.post("/settings", [("name", name)], **form)
            assert answer.status == 422, ascii(name)
            assert "A name has at most 24 characters, and no invisible ones." in answer.text
    assert rows(app) == before


def test_a_name_can_be_taken_back(alice: Player) -> None:
    alice.post("/settings", [("name", "Alice")])
    alice.post("/settings", [("name", "   ")])
    assert alice.get("/me").json["name"] == ""


def test_preferences_that_are_none_are_ignored(site: Flask, visitor: Player) -> None:
    before = rows(site)
    wanted = [("theme", "<b>"), ("language", "xx"), ("four", "2"), ("speed", ""), ("deal", "\0"), ("name", " ")]
    assert visitor.post("/settings", wanted).status == 303
    assert rows(site) == before, "looks alone make nobody a player"
    visitor.line.client.set_cookie("prefs", "language=%00&theme=<b>&&&=&x" + "y" * 2000)
    page = visitor.get("/", Accept="text/html")
    assert page.status == 200
    assert 'data-theme="auto"' in page.text


@pytest.mark.parametrize(
    "address",
    ["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil", "javascript:alert(1)", "/\t/evil", "/\n/evil", "", "evil", " //evil"],
)  # fmt: skip
def test_the_way_back_never_leads_to_another_site(visitor: Player, address: str) -> None:
    answer = visitor.post("/settings", [("next", address)])
    assert (answer.status, answer.headers["location"]) == (303, "/")


def test_after_all_that_the_books_are_right(app: Flask, alice: Player) -> None:
    for bad in ("hold-9", "pick-9", "x"):
        dealt(alice)
        verb, *rest = bad.split("-")
        alice.act(verb, *map(int, rest))
        assert alice.status == 422
        finished(alice)
    assert findings(app) == []
