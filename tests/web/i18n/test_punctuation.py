"""Punctuation between words in templates follows the language of the page."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.support.languages import NARROW, TRANSLATED
from tests.support.player import Player
from webapp.services.records.stored_round import AutoMove
from webapp.web.i18n.display_names import auto_name
from webapp.web.i18n.translations import use_language

TAG = re.compile(
    r"<(script|style|pre|code)\b.*?</\1>|<[^>]*?(?:aria-label|data-say)=\"([^\"]*)\"[^>]*>|<[^>]*>", re.DOTALL
)


def words_of(player: Player, path: str, language: str) -> list[str]:
    """Return the texts of a page, visible and for screen readers, tag by tag."""
    player.line.client.set_cookie("prefs", f"language={language}")  # type: ignore[union-attr]
    page = player.get(path, Accept="text/html")
    assert page.status < 500, path
    return [unescape(text).strip() for text in TAG.sub(r"\n\2\n", page.text).splitlines() if text.strip()]


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("path", ["/", "/me", "/daily", "/lab", "/lab/exercise?seed=7", "/rules/blackjack", "/fair"])
def test_marks_are_as_wide_as_the_letters_before_them(visitor: Player, path: str, language: str) -> None:
    assert [text for text in words_of(visitor, path, language) if NARROW.search(text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_why_a_seat_was_played_for_stands_in_wide_brackets(site: Flask, language: str) -> None:
    with site.test_request_context(), use_language(language):
        said = auto_name(AutoMove("timid", "late"))
    assert said.endswith("）")
    assert not NARROW.search(said)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("結果: 50", True), ("時間切れです. ", True), ("75 %", True), ("結果：50", False), ("75%", False)],
)
def test_a_narrow_mark_would_be_seen(text: str, wrong: bool) -> None:
    assert bool(NARROW.search(text)) == wrong


def test_in_english_a_percentage_has_a_space(visitor: Player) -> None:
    assert any(text.endswith("65\u00a0%") for text in words_of(visitor, "/lab", "en"))
