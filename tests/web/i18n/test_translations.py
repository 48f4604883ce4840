"""Every message is translated into every language, with the same meaning of its parts."""

import io
import re
import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

from tests.support.languages import CODES, TRANSLATED, catalog_of
from webapp.cli.i18n import extract
from webapp.web.i18n.translations import FOLDER
from webapp.web.languages import BY_CODE, LANGUAGES

ROOT = Path(__file__).parents[3]
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]|%[a-z%]")


@cache
def extracted() -> Catalog:
    """Return the messages of code and templates."""
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "messages.pot"
        extract(template)
        with template.open("rb") as file:
            return read_po(file)


@cache
def catalog(language: str) -> Catalog:
    with catalog_of(language).open("rb") as file:
        return read_po(file, locale=BY_CODE[language].locale)


def texts(of: Message | None, attribute: str) -> tuple[str, ...]:
    """Return singular and plurals as a tuple."""
    found = getattr(of, attribute, "")
    return tuple(found) if isinstance(found, (list, tuple)) else (found or "",)


def placeholders(text: str) -> list[str]:
    return sorted({found[0] for found in PLACEHOLDER.finditer(text)})


def messages(of: Catalog) -> list[Message]:
    return [message for message in of if message.id]


def test_sentences_are_found_in_code_and_in_templates() -> None:
    assert len(messages(extracted())) > 50


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    known = catalog(language)
    missing = [
        message.id
        for message in messages(extracted())
        if (found := known.get(message.id, message.context)) is None or found.fuzzy or not all(texts(found, "string"))
    ]
    assert missing == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_the_placeholders(language: str) -> None:
    """A plural may leave one out ("one card"); none may add one."""
    known = catalog(language)
    wrong = [
        (message.id, text)
        for message in messages(extracted())
        for text in texts(known.get(message.id, message.context), "string")
        if text and not _same_placeholders(texts(message, "id"), text)
    ]
    assert wrong == []


def _same_placeholders(ids: tuple[str, ...], text: str) -> bool:
    return placeholders(text) in [placeholders(each) for each in ids]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_can_be_filled_in(language: str) -> None:
    """A lone per cent sign would break the page, since Jinja formats every message."""
    for message in messages(catalog(language)):
        for text in texts(message, "string"):
            assert isinstance(text % defaultdict(lambda: 1), str)


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogs_hold_nothing_that_nobody_says(language: str) -> None:
    said = {(message.id, message.context) for message in messages(extracted())}
    assert [message.id for message in messages(catalog(language)) if (message.id, message.context) not in said] == []


def test_there_is_a_catalog_for_each_language_and_no_other() -> None:
    assert {path.parent.parent.name for path in FOLDER.glob("*/*/*.po")} == {known.locale for known in LANGUAGES}


@pytest.mark.parametrize("language", CODES)
def test_a_catalog_is_written_with_the_characters_of_its_language(language: str) -> None:
    """A character missing in a region's old encoding belongs to another region: 们 in Taipei, 們 in Beijing.

    A word joiner, which holds a number and its counter together, belongs to all.
    """
    foreign = {
        letter: text
        for message in messages(catalog(language))
        for text in texts(message, "string")
        for letter in text
        if letter != "\N{WORD JOINER}" and not written_with(letter, BY_CODE[language].charset)
    }
    assert foreign == {}


def written_with(letter: str, charset: str) -> bool:
    try:
        letter.encode(charset)
    except UnicodeEncodeError:
        return letter in MARKS
    return not (charset == "big5" and letter in SIMPLIFIED)


MARKS = "·–−’"
"""Marks that are no character of any country."""
SIMPLIFIED = (
    "万与么于云价优伙体余党儿几划厂吁吨听后圣坏复夸宁岭帘并庄异怀怜惊愿扑扰挂据机极构柜栖气泞洁洼涂淀炖痒痴确离种"
    "筑篱网羡胜腊苹茧荐虫蚕蜡触赶适辟里霉"
)
"""Big5 has them for other words or rare ones; in ours they are simplified."""


def test_characters_of_a_neighbour_would_be_seen() -> None:
    assert written_with("們", "big5") and not written_with("们", "big5")
    assert written_with("们", "gb2312") and not written_with("們", "gb2312")
    assert written_with("選", "cp932") and not written_with("选", "cp932")


# Terms that players do not use. docs/glossary.md has the usual ones.
NOT_SAID = {
    "ja": "財布 持ち点 この家 打つ 打ち方 一手 勝負額 終わった局 この局 もう一局 止まり きかない よそで 一組 この回 次の回 終わった回 種は"
    " プレーで プレーし プレーす プレーの ハウスボット 同じ札 札の運 だれ 今日のカード ブラウザー",
    "zh": "二十一点 未出声 押上 庄家系统 钱包 停在%( 摸到 其他人下注 牌型表 底牌 大过 一副牌靴 此牌靴 今日一局 您",
    "zh-Hant": "二十一點 紅桃 黑杰克 牌型表 默認 鏈接 信息 軟件 服務器 屏幕 二維碼 設備 代碼 底牌 大過 一副牌靴 復盤"
    " 此牌靴 今日一局 您 牌桌",
}


@pytest.mark.parametrize("language", NOT_SAID)
def test_sentences_are_those_of_players(language: str) -> None:
    said = [text for message in messages(catalog(language)) for text in texts(message, "string")]
    assert [(word, text) for word in NOT_SAID[language].split() for text in said if word in text] == []


# A word of the Latin alphabet has a space on either side; a number stands close to its counter.
LATIN = "code found id link reference scheme table wanted".split()
COUNTED = re.compile(
    r"(?P<before>[\u3040-\u30ff\u4e00-\u9fff]) (?:\d|%\((?P<first>\w+)\)s)"
    r"|(?:(?<!-)\d|%\((?P<last>\w+)\)s|(?<=%)%) (?P<after>[\u3040-\u30ff\u4e00-\u9fff%])"
)


def spaced_out(text: str) -> bool:
    return any({found["first"], found["last"]}.isdisjoint(LATIN) for found in COUNTED.finditer(text))


@pytest.mark.parametrize("language", TRANSLATED)
def test_numbers_stand_close_to_what_they_count(language: str) -> None:
    said = [text for message in messages(catalog(language)) for text in texts(message, "string")]
    assert [text for text in said if spaced_out(text)] == []


@pytest.mark.parametrize(
    ("text", "wrong"), [("%(count)s 人", True), ("約 5 回", True), ("%(count)s人", False), ("テーブル %(code)s", False)]
)
def test_a_number_away_from_what_it_counts_would_be_seen(text: str, wrong: bool) -> None:
    assert spaced_out(text) == wrong


@pytest.mark.parametrize("language", CODES)
def test_compiled_catalogs_are_up_to_date(language: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalog(language))
    fresh.seek(0)
    with catalog_of(language, "mo").open("rb") as file:
        assert _sentences(read_mo(file)) == _sentences(read_mo(fresh))


def _sentences(of: Catalog) -> dict[object, object]:
    return {(str(message.id), message.context): message.string for message in messages(of)}
