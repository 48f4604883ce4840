"""The languages of the site, for tests that run once for each."""

import re
from pathlib import Path
from typing import Final

import pytest

from webapp.web.i18n.translations import FOLDER
from webapp.web.languages import BY_CODE, LANGUAGES

NARROW = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff）」”][:;,.!?](?!\S)|\([\u3040-\u30ff\u4e00-\u9fff]|\d[\s\u00a0]%")
"""A mark as wide as a Latin letter beside one of Chinese or Japanese, or a per cent sign that stands alone."""
CODES: Final = list(BY_CODE)
WIDEST: Final = [code if code in ("en", "ja") else pytest.param(code, marks=pytest.mark.soak) for code in CODES]
"""For what has to fit: English has the longest words, and Japanese the longest sentences. `make soak` tries all."""
TRANSLATED: Final = CODES[1:]
"""All but the one that the sentences are written in."""
GAPLESS: Final = [language.code for language in LANGUAGES if not language.gap]
"""Those whose punctuation brings its own space."""
TAGS: Final = {language.code: language.tag for language in LANGUAGES}
"""What pages say they are written in."""


def catalog_of(code: str, kind: str = "po") -> Path:
    """Return the path of a message catalog."""
    return FOLDER / BY_CODE[code].locale / "LC_MESSAGES" / f"messages.{kind}"
