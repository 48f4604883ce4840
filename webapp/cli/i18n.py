"""``tefuda i18n``: collect and compile the translated sentences, with Babel."""

import subprocess
import sys

import click

from webapp.config import CHECKOUT, PACKAGE
from webapp.web.request.preferences import LANGUAGES

TRANSLATIONS = PACKAGE / "translations"
TEMPLATE = TRANSLATIONS / "messages.pot"


@click.group()
def i18n() -> None:
    """Translations of sentences (in a checkout)."""


@i18n.command()
def update() -> None:
    """Collect all sentences of code and templates into the catalogs; new ones have no translation yet."""
    TRANSLATIONS.mkdir(exist_ok=True)
    extract = (
        "-F",
        "pyproject.toml",
        "-k",
        "pgettext:1c,2",
        "-k",
        "N_",
        "-k",
        "NP_:1c,2",
        "--no-location",
        "--sort-output",
        "--project",
        "Tefuda",
    )
    _babel("extract", *extract, "-o", str(TEMPLATE), "webapp", "templates")
    for language in LANGUAGES:
        known = (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").exists()
        merge = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date")
        _babel(*(merge if known else ("init",)), "-i", str(TEMPLATE), "-d", str(TRANSLATIONS), "-l", language)
    TEMPLATE.unlink()


@i18n.command("compile")
def compile_() -> None:
    """Compile the catalogs."""
    _babel("compile", "-d", str(TRANSLATIONS))


def _babel(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "babel.messages.frontend", *words], cwd=CHECKOUT, check=True)  # noqa: S603
