"""Numbers, days and names of cards in each language."""

from datetime import date

import pytest

from tests.support.languages import CODES
from webapp.engine.cards import parse_cards
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import card_title, day, game_name, number, signed

DAYS = {"en": "Nov 22, 2026", "ja": "2026/11/22", "zh": "2026年11月22日", "zh-Hant": "2026年11月22日"}
CARDS = {"en": "Queen of hearts", "ja": "ハートのクイーン", "zh": "红桃Q", "zh-Hant": "紅心Q"}
BLACKJACK = {"en": "Blackjack", "ja": "ブラックジャック", "zh": "21点", "zh-Hant": "21點"}


@pytest.mark.parametrize("language", CODES)
def test_numbers_are_grouped_by_thousands(language: str) -> None:
    with use_language(language):
        assert (number(0), number(999), number(1000), number(1234567)) == ("0", "999", "1,000", "1,234,567")
        assert (signed(1234567), signed(-1000), signed(0)) == ("+1,234,567", "−1,000", "±0")


@pytest.mark.parametrize("language", DAYS)
def test_days_are_written_as_the_language_writes_them(language: str) -> None:
    with use_language(language):
        assert day(date(2026, 11, 22)) == DAYS[language]


@pytest.mark.parametrize("language", CARDS)
def test_cards_and_games_have_the_names_that_players_give_them(language: str) -> None:
    (queen,) = parse_cards("Qh")
    with use_language(language):
        assert card_title(queen) == CARDS[language]
        assert game_name("blackjack") == BLACKJACK[language]
