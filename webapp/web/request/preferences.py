"""Preferences of a browser, in a plain cookie, and the language of the page."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Final, Self, cast
from urllib.parse import parse_qsl, urlencode

from flask import Response, g, request

from webapp.config import COOKIE_DAYS
from webapp.web import languages

LANGUAGES: Final = {each.code: each.name for each in languages.LANGUAGES}
PREFERENCES_COOKIE: Final = "prefs"


@dataclass(frozen=True, slots=True)
class Preferences:
    """How this browser wants it. Readable, unsigned, nothing depends on it but looks, and whether insurance
    is declined unasked. Empty language: the browser's.
    """

    language: str = ""
    theme: str = "auto"
    four: str = "0"
    speed: str = "normal"
    deal: str = "quick"
    insurance: str = "ask"
    count: str = "0"
    sound: str = "0"

    def having(self, wanted: Mapping[str, str]) -> Self:
        """With those of the wanted values that are among the choices; whatever else is ignored."""
        return replace(self, **{name: wanted[name] for name, choices in CHOICES.items() if wanted.get(name) in choices})

    def cookie(self) -> str:
        return urlencode(asdict(self))


CHOICES: Final = {
    "language": ("", *LANGUAGES),
    "theme": ("auto", "light", "dark"),
    "four": ("0", "1"),
    "speed": ("normal", "fast"),
    "deal": ("quick", "cut"),
    "insurance": ("ask", "never"),
    "count": ("0", "1"),
    "sound": ("0", "1"),
}
assert tuple(CHOICES) == tuple(field.name for field in fields(Preferences))


def preferences() -> Preferences:
    if "preferences" not in g:
        g.preferences = Preferences().having(dict(parse_qsl(request.cookies.get(PREFERENCES_COOKIE, ""))))
    return cast(Preferences, g.preferences)


def keep_preferences(response: Response, chosen: Preferences) -> None:
    response.set_cookie(
        PREFERENCES_COOKIE, chosen.cookie(), max_age=COOKIE_DAYS * 24 * 3600, samesite="Lax", secure=request.is_secure
    )


def language() -> str:
    """Code of the page's language: the chosen one, else the first of the browser's that we have, else English."""
    if "language" not in g:
        asked = request.headers.get("Accept-Language", "")
        g.language = preferences().language or languages.best_of(languages.ranges_of(asked))
    return cast(str, g.language)
