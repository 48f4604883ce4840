"""Amounts of the odds with their units, in every language."""

import re

import pytest

from tests.support.languages import CODES
from webapp.engine.games import GAMES
from webapp.web.i18n.review_words import ledger_sentence
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.unit_words import (
    cost_said,
    in_unit,
    unit_note,
    unit_of,
    worth_said,
    worth_shown,
    worths_sentence,
)

UNITS = ("bets", "coins", "score", "chips", "rounds")
CHIPS = {"en": "chips", "ja": "チップ", "zh": "筹码", "zh-Hant": "籌碼"}
POINTS = {"en": "points", "ja": "点", "zh": "分", "zh-Hant": "分"}
LEDGERS = {
    "en": "The decisions gave away 59.7 chips. The cards brought 12 chips less than usual.",
    "ja": "判断ミスで59.7チップを失いました。カードの運では平均より12チップ損をしました。",
    "zh": "决策失误，共损失59.7枚筹码。牌运比平均差12枚筹码。",
    "zh-Hant": "決策失誤，共損失59.7枚籌碼。牌運比平均差12枚籌碼。",
}


@pytest.mark.parametrize("language", LEDGERS)
def test_the_sentence_of_a_ledger_says_what_was_given_away(language: str) -> None:
    with use_language(language):
        assert ledger_sentence(2, 59.7, -12, "chips") == LEDGERS[language]
        assert POINTS[language] in ledger_sentence(2, 59.7, -12, "score")


def test_what_is_won_at_a_table_is_chips_points_or_rounds() -> None:
    units = {
        (code, variant): unit_of(game.rules(variant)) for code, game in GAMES.items() for variant in game.spec.variants
    }
    assert units["poker", "quest"] == "score"
    assert units["joker", "kings-or-better"] == units["blackjack", "vegas"] == units["table21", "house"] == "chips"
    assert units["blackjack", "classic"] == "rounds"


def test_one_chip_is_not_several() -> None:
    with use_language("en"):
        assert [in_unit(text, "chips") for text in ("−1", "+1", "−1.50", "0")] == [
            "−1 chip",
            "+1 chip",
            "−1.50 chips",
            "0",
        ]
        assert (in_unit("1", "score"), in_unit("0.12", "rounds")) == ("1 point", "0.12 points")


def test_where_the_bet_is_one_amounts_are_hundredths_of_it() -> None:
    with use_language("en"):
        said = (
            worth_said(-0.8126, "bets"),
            worth_said(0.25, "bets"),
            worth_said(1.5, "coins"),
            worth_said(5, "coins"),
            worth_said(9, "score"),
        )
        assert [text.replace("\xa0", " ") for text in said] == [
            "loses 81.3 % of the bet on average",
            "wins 25.0 % of the bet on average",
            "pays back 150.0 % of the bet on average",
            "pays back 5.00 times the bet on average",
            "9.00 points on average",
        ]
        shown = worth_shown(-0.8126, "bets"), worth_shown(0.8126, "coins"), worth_shown(0.25, "rounds")
        assert [text.replace("\xa0", " ") for text in shown] == ["−81.3 %", "81.3 %", "+0.25"]


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("unit", UNITS)
def test_no_cost_is_a_bare_number(language: str, unit: str) -> None:
    with use_language(language):
        for cost in (0.00001, 0.004, 0.05, 1.0, 123.4):
            said = cost_said(cost, unit)
            assert any(letter.isalpha() for letter in said)
            assert any(digit.isdigit() and digit != "0" for digit in said)
            assert re.search(r"−<?\d", cost_said(cost, unit, "−")), "a sign stands before the number"
        assert bool(unit_note(unit)) == (unit in ("bets", "coins", "rounds"))


@pytest.mark.parametrize("language", CHIPS)
def test_chips_and_points_are_called_what_players_call_them(language: str) -> None:
    with use_language(language):
        assert CHIPS[language] in cost_said(59.7, "chips")
        assert POINTS[language] in cost_said(59.7, "score")


def test_two_choices_are_told_with_what_both_are_worth() -> None:
    with use_language("en"):
        assert [worths_sentence(2.5, 0.75, unit).replace("\xa0", " ") for unit in ("score", "coins")] == [
            "Worth 2.50 points, yours 0.75.",
            "Worth 250.0 % of the bet, yours 75.0 %.",
        ]
