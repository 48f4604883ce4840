"""The language of a page: the chosen one, else the best available one of the browser's, else the link's, else English.

A link that is shared names the language of who shares it: programs that make previews of links ask for none.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from flask import g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from webapp.web.languages import LANGUAGES, Language
from webapp.web.request.preferences import preferences

Range = tuple[str, float]
"""A language that a browser asks for, in lower case, and its quality from 0 to 1."""
_MOST_ASKED: Final = 500
"""Characters of ``Accept-Language`` that are read; browsers send some fifty."""
_TAG: Final = re.compile(r"[a-z\d-]{1,35}")
_LEAST_QUALITY: Final = 0.0001
"""Below all that a browser can ask for: its numbers have three digits."""


def language_of_request() -> str:
    """Return the code of the language in which the request is answered."""
    chosen: str | None = g.get("language")
    if chosen is None:
        asked = request.headers.get("Accept-Language", "")[:_MOST_ASKED]
        chosen = g.language = preferences().language or _best_of_header(asked, language_of_link() or "")
    return chosen


def language_of_link() -> str | None:
    """Return the code of the language that the address of the request names, if it is one of ours."""
    return language_named(request.args.get("lang", ""))


def language_of_preview() -> str:
    """Return the code of the language in which messengers show the link of the request: that of who shares it."""
    return language_of_link() or language_of_request()


def language_of_picture() -> str:
    """Return the code of the language of a picture, which is the same for all who ask for its address."""
    return language_of_link() or LANGUAGES[0].code


def language_named(tag: str) -> str | None:
    """Return the code of our language for a tag, ``zh-Hant`` for ``zh-TW``; None if there is none."""
    letters = _TAG.match(tag.replace("_", "-").lower())  # in a sentence, what is behind a link becomes part of it
    return _lookup(letters[0], LANGUAGES) if letters else None


@lru_cache(maxsize=256)  # the browsers of a country say much the same. bench: server
def _best_of_header(asked: str, of_link: str) -> str:
    """Return the best language. That of the link comes after all that are asked for by name, and before any other."""
    ranges = ranges_of(asked)
    if of_link:
        ranges = [(of_link.lower() if name == "*" else name, quality) for name, quality in ranges]
        ranges.append((of_link.lower(), _LEAST_QUALITY))
    return best_of(ranges)


def ranges_of(header: str) -> list[Range]:
    """Return what ``Accept-Language`` asks for, best first; of equal quality as they stand, with ``*`` last."""
    accepted = parse_accept_header(header, LanguageAccept)
    ranges = [(name.strip().lower().replace("_", "-"), quality) for name, quality in accepted]
    return sorted(ranges, key=lambda each: -each[1])


def best_of(ranges: Sequence[Range], languages: Sequence[Language] = LANGUAGES) -> str:
    """Return the code of the preferred language; that of the first one if none is acceptable.

    As in RFC 9110, 12.5.4: ``*`` matches all languages that are not named, and quality 0 excludes a language.
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
