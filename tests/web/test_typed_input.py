"""What people type is read as their keyboards and chats write it: in full width, with spaces, as a pasted link."""

import re
from urllib.parse import quote

import pytest
from flask import Flask

from tests.support.languages import CODES
from tests.support.moves import STAKES, dealt, every_game, sealed
from tests.support.player import Player
from tests.support.table_players import betting, players, seated

FULL_WIDTH = {ord(letter): ord(letter) + 0xFEE0 for letter in map(chr, range(0x21, 0x7F))}
"""Letters, digits and signs as Japanese and Chinese input methods write them."""


def wide(text: object) -> str:
    return str(text).translate(FULL_WIDTH)


@every_game
def test_bets_and_cuts_are_read_in_full_width(visitor: Player, game: str) -> None:
    stakes = STAKES[game]
    plain = dealt(visitor, "My-cut_9", game, stakes=stakes)["stakes"]
    while not visitor.over:
        visitor.do(visitor.actions[-1])
    sealed(visitor, game)
    visitor.deal(wide("My-cut_9"), [wide(stake) for stake in stakes])  # type: ignore[misc]
    assert (visitor.status, visitor.board["cut"]) == (200, "My-cut_9"), visitor.answer.text
    assert visitor.board["stakes"] == plain


def test_so_are_those_of_a_shared_table(app: Flask) -> None:
    visitors = betting(app)
    (player,) = players(visitors)
    player.do("bet", f" {wide(20)} ", cut=wide("cut-1"))
    assert player.status == 200, player.answer.text
    assert player.seat()["bet"] == 20


@pytest.mark.parametrize(
    "simulated", ["/lab/exercise?games={}", "/lab/spot/poker?cards=AhKhQhJh2c&simulate=100&seed={}"]
)
def test_so_are_numbers_of_the_lab(visitor: Player, simulated: str) -> None:
    assert visitor.get(simulated.format(quote(wide(12))), Accept="text/html").status in (200, 202)


WRITTEN = (
    "{code}", "{lower}", " {code} ", "{half}-{rest}", "{half} {rest}", "{half}\u2011{rest}", "{code}.", "{code})", "({code})",
    "{code}\u3002", "\u300c{code}\u300d", "{wide}", "{wide_lower}", "https://cards.example/t/{code}", "cards.example/t/{lower}",
    "https://cards.example/room/t/{code}?seat=abc#x", "https://cards.example/t/{code}).", "Come: https://cards.example/t/{code} now",
    "<https://cards.example/t/{code}>", "\u200e{code}\u200b", "https://cards.example/a/very/long/way/" + "x" * 80 + "/t/{code}",
)  # fmt: skip


@pytest.mark.parametrize("written", WRITTEN, ids=ascii)
def test_a_code_is_found_however_it_is_written(app: Flask, written: str) -> None:
    visitor = seated(app, 1)[0]
    code = visitor.code
    parts = {"code": code, "lower": code.lower(), "half": code[:3], "rest": code[3:], "wide": wide(code)}
    text = written.format(**parts, wide_lower=wide(code.lower()))
    answer = visitor.get(f"/tables?code={quote(text)}", Accept="text/html")
    assert (answer.status, answer.headers["location"]) == (303, f"/t/{code}")


@pytest.mark.parametrize(
    "written", ["{code}.", "{code})", "{code}\u3002", "{code},", "{code}>", "{lower}", "{wide}", "{half}-{rest}"]
)
def test_an_address_that_a_chat_has_lengthened_leads_to_the_table(app: Flask, written: str) -> None:
    visitor = seated(app, 1)[0]
    code = visitor.code
    parts = {"code": code, "lower": code.lower(), "wide": wide(code), "half": code[:3], "rest": code[3:]}
    answer = visitor.get(f"/t/{quote(written.format(**parts))}?seat=word", Accept="text/html")
    assert (answer.status, answer.headers["location"]) == (302, f"/t/{code}?seat=word")


@pytest.mark.parametrize("path", ["/play/blackjack", "/play/joker?table=arcade-1-double", "/play/poker", "/tables"])
@pytest.mark.parametrize("language", CODES)
def test_no_pattern_of_a_page_keeps_the_browser_from_sending_full_width(
    visitor: Player, path: str, language: str
) -> None:
    game = path.removeprefix("/play/").partition("?")[0]
    if game in STAKES:
        sealed(visitor, game)
    page = visitor.get(path, Accept="text/html", Accept_Language=language).text
    patterns = re.findall(r'pattern="([^"]*)"', page)
    assert patterns or path == "/tables"
    for pattern in patterns:
        assert re.fullmatch(pattern, wide("12")), pattern
        assert re.fullmatch(pattern, "12"), pattern
