"""The language of a page is the first one the browser accepts that the site has."""

import re

import pytest

from tests.support.languages import CODES, TAGS
from tests.support.player import Player


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("ja-JP,en;q=0.8", "ja"),
        ("zh-CN,en;q=0.9", "zh"),
        ("zh-TW,zh-Hant;q=0.9,en;q=0.7", "zh-Hant"),
        ("zh-Hans-SG,ja;q=0.9", "zh"),
        ("cmn-Hans,en;q=0.9", "zh"),
        ("en-GB,ja;q=0.5", "en"),
        ("en_GB,ja;q=0.5", "en"),
        ("en-GB", "en"),
        ("JA", "ja"),
        ("en;q=0.3,ja;q=0.7,zh;q=0.5", "ja"),
        ("fr-FR,de;q=0.9,ja;q=0.2", "ja"),
        ("ja,en", "ja"),
        ("fr", "en"),
        ("jav,zhx", "en"),
        ("", "en"),
        (";;q=,,x=1;q=9", "en"),
    ],
)
def test_the_first_language_of_the_browser_that_we_have_is_taken_by_its_primary_subtag(
    visitor: Player, accepted: str, language: str
) -> None:
    assert language_of(visitor, accepted) == TAGS[language]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("*", "en"),
        ("fr,*;q=0.5", "en"),
        ("*,ja;q=0.5", "en"),
        ("*;q=0.5,ja", "ja"),
        ("en;q=0,*", "ja"),
        ("en;q=0,ja;q=0,*;q=0.1", "zh"),
        ("ja-JP,ja;q=0,zh;q=0.1", "zh"),
        ("en-GB;q=0,en-US,ja;q=0.9", "en"),
        ("zh-Hant;q=0,zh-TW,en;q=0.9", "en"),
        ("zh-Hant;q=0,zh-TW,zh;q=0.9", "zh"),
        ("zh-Hans;q=0,zh-TW,en;q=0.9", "zh-Hant"),
        ("en;q=0", "en"),
        ("*;q=0", "en"),
        ("ja,*;q=0", "ja"),
    ],
)
def test_any_language_and_those_that_are_refused_are_understood(visitor: Player, accepted: str, language: str) -> None:
    """A star stands for every language that is not named; quality 0 means "not acceptable" (RFC 9110, 12.5.4)."""
    assert language_of(visitor, accepted) == TAGS[language]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-TW,zh;q=0.9", "zh-Hant"),
        ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "zh-Hant"),
        ("zh-hant-tw", "zh-Hant"),
        ("ZH-HANT", "zh-Hant"),
        ("zh_TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-HK,en-HK;q=0.9", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("cmn-Hant-TW", "zh-Hant"),
        ("yue", "zh-Hant"),
        ("yue-Hans", "zh"),
        ("zh-SG", "zh"),
        ("zh-MY", "zh"),
        ("zh-Hans-TW", "zh"),
        ("zh-Hans,zh-Hant;q=0.9", "zh"),
        ("fr-FR,zh-TW;q=0.8,ja;q=0.6", "zh-Hant"),
        ("en-TW,zh-TW;q=0.9", "en"),
        ("zh-Hant-MO", "zh-Hant"),
        ("yue-HK,en;q=0.5", "zh-Hant"),
        ("zh", "zh"),
        ("zh-CN,zh-TW;q=0.9", "zh"),
        ("zh-Hans-HK", "zh"),
        ("zh-Hant;q=0,zh-HK,en;q=0.5", "en"),
        ("zh;q=0,*", "en"),
    ],
)
def test_a_region_or_a_script_leads_to_the_language_that_is_written_so(
    visitor: Player, accepted: str, language: str
) -> None:
    assert language_of(visitor, accepted) == TAGS[language]


@pytest.mark.parametrize("language", CODES)
def test_a_choice_is_stronger_than_the_browser_and_is_offered_on_every_page(visitor: Player, language: str) -> None:
    assert visitor.post("/settings", [("language", language)]).status == 303
    for accepted in ("fr", *TAGS.values()):
        assert language_of(visitor, accepted) == TAGS[language]
    page = visitor.get("/", Accept="text/html").text
    switches = re.findall(
        r'<form class="(?:langs|sheet__row)"[^>]*>(?:(?!</form>).)*name="language".*?</form>', page, re.DOTALL
    )
    assert switches
    for switch in switches:
        assert re.findall(r'name="language" value="([^"]+)" lang="([^"]+)"', switch) == list(TAGS.items())
        assert switch.count('aria-pressed="true"') == 1


@pytest.mark.parametrize(
    ("link", "accepted", "language"),
    [
        ("ja", "", "ja"),
        ("zh-Hant", "", "zh-Hant"),
        ("zh-TW", "", "zh-Hant"),
        ("ja", "*", "ja"),
        ("ja", "fr", "ja"),
        ("ja", "en-GB,zh;q=0.5", "en"),
        ("en", "ja", "ja"),
        ("ja", "ja;q=0,zh;q=0.1", "zh"),
        ("ja。", "", "ja"),
        ("xx", "", "en"),
        ("", "", "en"),
        ("-" * 1000, "", "en"),
    ],
)
def test_a_link_may_name_a_language_for_those_who_ask_for_none_of_ours(
    visitor: Player, link: str, accepted: str, language: str
) -> None:
    assert language_of(visitor, accepted, f"/?lang={link}") == TAGS[language]


def test_a_choice_is_stronger_than_a_link(visitor: Player) -> None:
    visitor.post("/settings", [("language", "en")])
    assert language_of(visitor, "", "/?lang=ja") == "en"


def language_of(visitor: Player, accepted: str, path: str = "/") -> str:
    page = visitor.get(path, Accept="text/html", Accept_Language=accepted).text
    return page.partition('<html lang="')[2].partition('"')[0]
