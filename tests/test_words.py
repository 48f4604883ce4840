"""Every sentence is there in every language, and says the same."""

import io
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
TRANSLATIONS = ROOT / "webapp" / "translations"
LANGUAGES = ["ja", "zh"]
PLACEHOLDER = re.compile(r"%\((\w+)\)[a-z]|%[a-z%]")


@cache
def extracted() -> Catalog:
    """What code and templates say today."""
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "messages.pot"
        options = [
            "-F",
            "pyproject.toml",
            "-k",
            "pgettext:1c,2",
            "-k",
            "N_",
            "-k",
            "NP_:1c,2",
            "--no-location",
            "-o",
            str(template),
        ]
        command = [sys.executable, "-m", "babel.messages.frontend", "-q", "extract", *options, "webapp", "templates"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with template.open("rb") as file:
            return read_po(file)


@cache
def catalog(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def texts(of: Message | None, attribute: str) -> tuple[str, ...]:
    """Singular and plurals alike, as a tuple."""
    found = getattr(of, attribute, "")
    return tuple(found) if isinstance(found, (list, tuple)) else (found or "",)


def placeholders(text: str) -> list[str]:
    return sorted({found[0] for found in PLACEHOLDER.finditer(text)})


def messages(of: Catalog) -> list[Message]:
    return [message for message in of if message.id]


def test_sentences_are_found_in_code_and_in_templates() -> None:
    assert len(messages(extracted())) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    known = catalog(language)
    missing = [
        message.id
        for message in messages(extracted())
        if (found := known.get(message.id, message.context)) is None or found.fuzzy or not all(texts(found, "string"))
    ]
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:
    """A plural may leave one out ("one card"), nothing may add one."""
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_can_be_filled_in(language: str) -> None:
    """A lone per cent sign would break the page: Jinja fills in every sentence, with or without placeholders."""
    for message in messages(catalog(language)):
        for text in texts(message, "string"):
            assert isinstance(text % defaultdict(lambda: 1), str)


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_hold_nothing_that_nobody_says(language: str) -> None:
    said = {(message.id, message.context) for message in messages(extracted())}
    assert [message.id for message in messages(catalog(language)) if (message.id, message.context) not in said] == []


@pytest.mark.parametrize(
    "language", [path.parent.parent.name for path in TRANSLATIONS.glob("*/LC_MESSAGES/*.po")] or LANGUAGES
)
def test_compiled_catalogs_are_up_to_date(language: str) -> None:
    fresh = io.BytesIO()
    write_mo(fresh, catalog(language))
    fresh.seek(0)
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        assert _sentences(read_mo(file)) == _sentences(read_mo(fresh))


def _sentences(of: Catalog) -> dict[object, object]:
    return {(str(message.id), message.context): message.string for message in messages(of)}
