"""The languages there are. Which of them a page is in: ``request.language``."""

from dataclasses import dataclass
from typing import Final


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
