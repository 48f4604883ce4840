"""Sentences that say why an action is best, in every language."""

import re

import pytest

from tests.support.languages import CODES
from webapp.engine.games import GAMES
from webapp.engine.odds.value import MemoryStore
from webapp.services.odds.answers import answer
from webapp.web.i18n.translations import use_language
from webapp.web.odds_page.rows import rows

STORE = MemoryStore()
ROYAL = {
    "en": "4 cards to a royal flush: of 47 cards, 1 makes the royal flush, 8 a flush, 3 a straight.",
    "ja": "ロイヤルストレートフラッシュ狙いの4枚：47枚のうち、1枚でロイヤルストレートフラッシュ、8枚でフラッシュ、3枚でストレート。",
    "zh": "4张凑皇家同花顺：47张牌中，1张成皇家同花顺、8张成同花、3张成顺子。",
    "zh-Hant": "4張湊皇家同花順：47張牌中，1張成皇家同花順、8張成同花、3張成順子。",
}
SPOTS = [
    ("poker", "quest", {"cards": cards})
    for cards in ("QhQs7d5c2d", "QhQs7d7c7h", "Th9c8d7s2c", "9hKhQhJh2c", "Kd9h4c2hJs", "3d5d8dTd2c")
] + [
    ("joker", "arcade-1", {"cards": "JkKd7h4h2h"}),
    ("joker", "kings-or-better-double", {"cards": "JkTh9h8h2c"}),
    *(
        ("blackjack", "vegas", {"cards": cards, "dealer": up})
        for cards, up in (("Th6d", "Tc"), ("8h8d", "6c"), ("6h5d", "6c"), ("5h4d", "9c"), ("AhAd", "6c"))
    ),
    ("blackjack", "single,surrender=late", {"cards": "Th6d", "dealer": "Ac"}),
    ("blackjack", "vegas", {"cards": "Th9d", "dealer": "Ac", "ask": "insurance"}),
]


def best(code: str, table: str, **asked: str) -> str:
    found = answer({"about": "spot", "game": code, "table": table, **asked}, STORE)
    assert "options" in found, found
    reason = rows(found)[0].reason
    assert reason
    return reason.sentence


@pytest.mark.parametrize("language", CODES)
def test_the_reason_names_what_the_value_depends_on_most(language: str) -> None:
    with use_language(language):
        assert best("poker", "quest", cards="AhKhQhJh2c") == ROYAL[language]


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize(("code", "table", "asked"), SPOTS)
def test_every_reason_is_a_whole_sentence(language: str, code: str, table: str, asked: dict[str, str]) -> None:
    with use_language(language):
        said = best(code, table, **asked)
    assert re.search(r"[.。]$", said) and not re.search(r"%[(s]|[A-Z]{2,}|[.。]{2}", said), said
    if language != "en":
        assert not re.search(r"[a-z]{2,}", said), said


def test_a_bar_shows_all_of_a_value_and_its_greatest_part_first() -> None:
    for code, table in (("poker", "quest"), ("joker", "arcade-1")):
        assert table in GAMES[code].spec.variants
        found = answer({"about": "spot", "game": code, "table": table, "cards": "QhQs7d5c2d"}, STORE)
        row = rows(found)[0]
        assert row.reason
        parts = row.reason.parts
        assert sum(part.value for part in parts) == pytest.approx(row.value)
        assert parts[-1].start + parts[-1].width == pytest.approx(100)
        assert parts[0].width == max(part.width for part in parts)
