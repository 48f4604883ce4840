"""Translations of the page's language: each catalog is read once, and asked by the language of the request."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final
from urllib.parse import urlencode

from babel.support import NullTranslations, Translations
from flask import has_request_context

from webapp.config import PACKAGE
from webapp.web import languages
from webapp.web.request.language import language_of_request

FOLDER: Final = PACKAGE / "translations"
_CHOSEN: Final[ContextVar[str | None]] = ContextVar("language", default=None)


def language() -> str:
    """Return the code of the language that is spoken now: of ``use_language``, else of the request, else English."""
    chosen = _CHOSEN.get()
    if chosen is not None:
        return chosen
    return language_of_request() if has_request_context() else languages.LANGUAGES[0].code


def in_language(address: str) -> str:
    """Return an address of ours to share: it names the language that is spoken now, unless that is the default.

    So its preview is in the language of who shares it.
    """
    code = language()
    if code == languages.LANGUAGES[0].code:
        return address
    return f"{address}{'&' if '?' in address else '?'}{urlencode({'lang': code})}"


def gap() -> str:
    """Return what stands between two sentences, or a label and its value, in the language that is spoken now."""
    return languages.BY_CODE[language()].gap


def percent_sign() -> str:
    """Return what follows the number of a percentage: a sign, after a space where words have spaces between them."""
    return "\N{NO-BREAK SPACE}%" if gap() else "%"


def locale() -> str:
    """Return Babel's name of the language that is spoken now."""
    return languages.BY_CODE[language()].locale


def translations() -> NullTranslations:
    """Return the catalog of the language that is spoken now."""
    return _catalog(language())


@cache
def _catalog(code: str) -> NullTranslations:
    return Translations.load(FOLDER, [languages.BY_CODE[code].locale])


@contextmanager
def use_language(code: str) -> Iterator[None]:
    """Use this language within the context, whatever the request asks for."""
    token = _CHOSEN.set(code)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def gettext(text: str, **values: object) -> str:
    """Return the translation of a text, with the values put in."""
    translated: str = translations().ugettext(text)
    return translated % values if values else translated


def ngettext(one: str, many: str, n: int) -> str:
    """Return the translation that fits a number."""
    translated: str = translations().ungettext(one, many, n)
    return translated


def pgettext(context: str, text: str, **values: object) -> str:
    """Return the translation of a text that means something else elsewhere, with the values put in."""
    translated: str = translations().upgettext(context, text)
    return translated % values if values else translated


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """Return the translation that fits a number, of a text that means something else elsewhere."""
    translated: str = translations().unpgettext(context, one, many, n)
    return translated
