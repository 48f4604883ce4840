"""The languages there are, and which of them a browser asks for; ``request.language`` decides which a page is in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header


@dataclass(frozen=True, slots=True)
class Language:
    """A language that we have: all that is particular to it, but for its sentences.

    ``code`` stands in the preferences and, as Babel spells it, names the catalog; ``tag`` is what pages say they are
    written in; ``name`` and ``short`` are what the language calls itself, in a list and on the switch. ``ranges`` are
    the shortest tags, in lower case, by which browsers ask for it: a script or region that is not listed under another
    language is found under its primary subtag. ``gap`` is what stands between two sentences, or between a label and its
    value: full-width punctuation brings its own space. ``charset`` is an encoding that has the characters of this
    language and lacks those of its neighbours; a test reads the catalog with it.
    """

    code: str
    name: str
    short: str
    tag: str
    ranges: tuple[str, ...]
    gap: str = " "
    charset: str = "utf-8"

    @property
    def locale(self) -> str:
        """The name of its catalog, and of its way to write numbers and days, as Babel spells it."""
        return self.code.replace("-", "_")


LANGUAGES: Final = (
    Language("en", "English", "EN", "en", ("en",)),
    Language("ja", "日本語", "日本語", "ja", ("ja",), gap="", charset="cp932"),
    Language("zh", "简体中文", "简体", "zh-Hans", ("zh", "cmn", "yue-hans", "yue-cn"), gap="", charset="gb2312"),
    Language(
        "zh-Hant",
        "繁體中文",
        "繁體",
        "zh-Hant",
        ("zh-hant", "zh-tw", "zh-hk", "zh-mo", "cmn-hant", "cmn-tw", "yue"),
        gap="",
        charset="big5",
    ),
)
"""The first is for browsers that want none of them. Nothing else lists languages: one more is a row and a catalog."""

BY_CODE: Final = {language.code: language for language in LANGUAGES}

Range = tuple[str, float]
"""A language that a browser asks for, in lower case, and its quality from 0 to 1."""


def ranges_of(header: str) -> list[Range]:
    """Return what ``Accept-Language`` asks for, best first; of equal quality as they stand, with ``*`` last."""
    accepted = parse_accept_header(header, LanguageAccept)
    ranges = [(name.strip().lower().replace("_", "-"), quality) for name, quality in accepted]
    return sorted(ranges, key=lambda each: -each[1])


def best_of(ranges: Sequence[Range], languages: Sequence[Language] = LANGUAGES) -> str:
    """Return the code of the language that is wanted most; the first one's if none is.

    As in RFC 9110, 12.5.4: ``*`` stands for the languages that are not asked for by name, and one that is asked for
    with quality 0 is not acceptable.
    """
    refused = {each.code for each in languages for name, quality in ranges if quality == 0 and _covers(name, each)}
    wanted = [(name, _lookup(name, languages)) for name, quality in ranges if quality > 0]
    named = {code for _, code in wanted}
    for name, code in wanted:
        if name == "*":
            code = next((each.code for each in languages if each.code not in named | refused), None)
        if code is not None and code not in refused:
            return code
    return languages[0].code


def _lookup(name: str, languages: Sequence[Language]) -> str | None:
    """Return the language of the longest tag that ``name`` begins with (RFC 4647, 3.4: "Lookup")."""
    while name:
        for each in languages:
            if name in each.ranges:
                return each.code
        name = name.rpartition("-")[0]
    return None


def _covers(name: str, language: Language) -> bool:
    """Return True if a language is one of those that ``name`` stands for (RFC 4647, 3.3.1: "Basic Filtering")."""
    return f"{language.tag.lower()}-".startswith(f"{name}-")
