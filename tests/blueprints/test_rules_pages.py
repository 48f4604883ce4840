"""Pages of rules: the exact place of the cut card wherever they mention it, returns, and forms of own rules."""

import re
from html import unescape
from urllib.parse import unquote, urlencode

import pytest

from tests.support.player import Player
from tests.support.table21_rounds import may
from webapp.engine.games import GAMES, SOLO
from webapp.engine.games.blackjack.rules import parse_rules

OWN = 'id="own"'
"""Where the form for own rules begins."""

TABLES = {
    "single": (27, 52, 52),
    "vegas": (234, 312, 75),
    "downtown": (78, 104, 75),
    "vegas,decks=1,penetration=0.9": (27, 52, 52),
}


@pytest.mark.parametrize(("table", "place"), TABLES.items(), ids=TABLES)
def test_every_page_prints_where_the_cut_card_really_lies(
    visitor: Player, table: str, place: tuple[int, int, int]
) -> None:
    words = "card {} of {} ({} %)".format(*place)
    for path in ("/rules/blackjack", "/play/blackjack"):
        text = " ".join(visitor.get(f"{path}?table={table}", Accept="text/html").text.split())
        assert words in text
        assert not re.search(r"Once \d+ % of it", text)


@pytest.mark.parametrize(("table", "place"), TABLES.items(), ids=TABLES)
def test_programs_are_told_the_same_place_as_readers(visitor: Player, table: str, place: tuple[int, int, int]) -> None:
    assert visitor.get(f"/rules/blackjack?table={table}").json["cut_card"] == place[0]
    assert visitor.sit("blackjack", table)["shoe"]["cut_card"] == place[0]


@pytest.mark.parametrize("table", ["vegas", "single", "vegas,blackjack_pays=1:1"])
def test_a_page_of_rules_names_no_payout_but_its_own(visitor: Player, table: str) -> None:
    pays = parse_rules(table).blackjack_pays
    text = visitor.get(f"/rules/blackjack?table={table}", Accept="text/html").text.split(OWN)[0]
    rules = re.sub(r"<[^>]*>", " ", text[text.index("<ol>") : text.index("</ol>")])
    assert set(re.findall(r"\b\d:\d\b", rules)) - {"2:1"} <= {pays}, "insurance pays 2:1"


@pytest.mark.parametrize("table", ["classic", "vegas,shuffle=continuous"])
def test_a_table_that_shuffles_before_each_round_has_no_cut_card(visitor: Player, table: str) -> None:
    assert visitor.get(f"/rules/blackjack?table={table}").json["cut_card"] is None
    assert "Cut card" not in visitor.get(f"/rules/blackjack?table={table}", Accept="text/html").text.split(OWN)[0]


@pytest.mark.parametrize(("hole_card", "is_early"), [("no_peek", True), ("peek", False)])
def test_surrender_before_the_dealers_second_card_is_called_early(
    visitor: Player, hole_card: str, is_early: bool
) -> None:
    table = ("vegas,hole_card=no_peek" if is_early else "vegas") + ",surrender=late"
    text = visitor.get(f"/rules/blackjack?table={table}", Accept="text/html").text.split(OWN)
    assert ("early surrender" in text[0]) == is_early
    assert "early surrender" in text[1], "the form says it before it is chosen"


def test_the_limit_of_a_round_is_printed_and_not_called_the_end_of_the_shoe(visitor: Player) -> None:
    text = " ".join(visitor.get("/rules/blackjack?table=single", Accept="text/html").text.split())
    assert "A round with one box takes at most 14 cards, one with 3 boxes 26" in text


@pytest.mark.parametrize("page", ["/rules/blackjack?table=single", "/lab"])
def test_forms_with_a_share_of_the_cards_say_where_the_cut_card_lies_at_the_latest(visitor: Player, page: str) -> None:
    """With one deck and 75 % chosen, the shoe is shuffled after 27 of its 52 cards."""
    text = " ".join(unescape(re.sub(r"<[^>]*>", " ", visitor.get(page, Accept="text/html").text)).split())
    places = (
        "1 deck at card 27 of 52, 2 decks at card 79 of 104, 3 decks at card 131 of 156, 4 decks at card 183 of 208."
    )
    assert places in text
    for decks, place in ((1, 27), (2, 79), (3, 131), (4, 183)):
        for share in ("0.85", "0.9") if decks == 3 else ("0.9",):
            rules = visitor.get(f"/rules/blackjack?table=vegas,decks={decks},penetration={share}").json
            assert rules["cut_card"] == place


@pytest.mark.parametrize(
    ("language", "words", "wrong"),
    [
        ("en", "two of equal rank, once", "equal value"),
        ("ja", "同じ数字の2枚の一度だけのスプリット", "同じ点数"),
        ("zh", "牌面相同的两张分牌一次", "点数的两张"),
        ("zh-Hant", "牌面相同的兩張分牌一次", "點數的兩張"),
    ],
)
def test_the_rules_of_table_21_say_that_two_of_equal_rank_may_be_split_and_no_ten_with_a_king(
    visitor: Player, language: str, words: str, wrong: str
) -> None:
    visitor.post("/settings", [("language", language)])
    text = visitor.get("/rules/table21", Accept="text/html").text
    assert words in text
    assert wrong not in text
    assert "split@1" in may("Tc 9c Td 9d")
    assert "split@1" not in may("Tc 9c Kd 9d")


@pytest.mark.parametrize("code", GAMES)
def test_the_keys_of_the_coach_are_listed_where_there_is_a_coach(visitor: Player, code: str) -> None:
    """At a shared table nobody is told what is best."""
    keys = visitor.get(f"/rules/{code}", Accept="text/html").text
    assert ("hint: what is best now" in keys, "values of the best choices" in keys) == (code in SOLO, code in SOLO)


def test_lists_say_what_a_table_of_video_poker_returns_and_how_much_less_than_the_best(visitor: Player) -> None:
    for path in ("/", "/play/video", "/rules/video", "/odds/video"):
        page = visitor.get(path, Accept="text/html").text
        assert "Jacks or Better 9/6 · 99.54\N{NO-BREAK SPACE}%" in page, path
        assert "Deuces Wild, full pay · 100.76\N{NO-BREAK SPACE}%" in page, path
    sheet = visitor.get("/play/video?table=jacks-8-5", Accept="text/html").text
    assert "That is 34.6 chips less in 100 hands of 10 chips than at the best table." in " ".join(sheet.split())
    assert "chips less" not in visitor.get("/play/video?table=deuces-full", Accept="text/html").text


@pytest.mark.parametrize(
    ("table", "chosen", "there"),
    [
        ("jacks-9-6", {"full_house": "8", "flush": "5"}, "jacks-8-5"),
        ("jacks-6-5", {"flush": "6"}, "jacks,full_house=6"),
        ("deuces-full", {"four_deuces": "400"}, "deuces,four_deuces=400"),
        ("deuces,four_deuces=400", {"four_deuces": "200"}, "deuces-full"),
    ],
)
def test_the_form_of_a_pay_table_has_its_lines_and_leads_to_the_table(
    visitor: Player, table: str, chosen: dict[str, str], there: str
) -> None:
    page = visitor.get(f"/rules/video?table={table}", Accept="text/html").text
    form = page.partition('<form class="own"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<select class="input" name="(\w+)">.*?value="(\w+)" selected', form, re.DOTALL))
    lines = GAMES["video"].rules(table).pay_table.lines
    assert list(fields.items()) == [(line.code.lower(), str(line.pays)) for line in lines], "the strongest first"
    family = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([\w-]+)">', form))
    visitor.get("/rules/video/own?" + urlencode(family | fields | chosen))
    assert unquote(visitor.answer.headers["location"]) == f"/play/video?table={there}"
