"""``tefuda i18n``: collect and compile the translated sentences, with Babel."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from webapp.config import CHECKOUT
from webapp.web.i18n.translations import FOLDER as TRANSLATIONS
from webapp.web.languages import LANGUAGES

TEMPLATE = TRANSLATIONS / "messages.pot"
KEYWORDS: Final = ("pgettext:1c,2", "N_", "NP_:1c,2")
"""Functions of ours whose arguments are sentences, besides those that Babel knows."""
EXTRACTION: Final = (
    *("-F", "pyproject.toml", "--no-location", "--sort-output", "--project", "Tefuda"),
    *(part for keyword in KEYWORDS for part in ("-k", keyword)),
)


def extract(template: Path) -> None:
    """Collect all sentences of code and templates into a template of a catalog."""
    _babel("-q", "extract", *EXTRACTION, "-o", str(template), "webapp", "templates")


@click.group()
def i18n() -> None:
    """Translations of sentences (in a checkout)."""


@i18n.command()
def update() -> None:
    """Collect all sentences of code and templates into the catalogs; new ones have no translation yet."""
    TRANSLATIONS.mkdir(exist_ok=True)
    extract(TEMPLATE)
    for language in LANGUAGES:
        known = (TRANSLATIONS / language.locale / "LC_MESSAGES" / "messages.po").exists()
        merge = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date")
        _babel(*(merge if known else ("init",)), "-i", str(TEMPLATE), "-d", str(TRANSLATIONS), "-l", language.locale)
    TEMPLATE.unlink()


@i18n.command("compile")
def compile_() -> None:
    """Compile the catalogs."""
    _babel("compile", "-d", str(TRANSLATIONS))


def _babel(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *words], cwd=CHECKOUT, check=True)  # noqa: S603
