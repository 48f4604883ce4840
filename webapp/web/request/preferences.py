"""Preferences of a browser, in a plain cookie."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode

from flask import Response, g, request

from webapp.config import COOKIE_DAYS
from webapp.engine.games import GAMES
from webapp.engine.spec import Spec
from webapp.web import languages

PREFERENCES_COOKIE: Final = "prefs"


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences of a browser: how pages look, and what games need not ask. The cookie is readable and unsigned.

    language: empty for the browser's. sound: empty until it is chosen. games: names and values of the preferences that
    games have. coach: speaks after a decision, or before it. keys: single keys press buttons. text: its size in per
    cent of the browser's. large: cards in large print.
    """

    language: str = ""
    theme: str = "auto"
    four: str = "0"
    speed: str = "normal"
    deal: str = "quick"
    sound: str = ""
    reactions: str = "1"
    coach: str = "off"
    keys: str = "1"
    text: str = "100"
    large: str = "0"
    games: tuple[tuple[str, str], ...] = ()

    def having(self, wanted: Mapping[str, str]) -> Self:
        """Return preferences with the wanted values; values that are not among the choices are ignored."""
        own: dict[str, Any] = {name: wanted[name] for name, choices in CHOICES.items() if wanted.get(name) in choices}
        chosen = self
        for game in GAMES.values():
            chosen = chosen.having_of(game.spec, wanted)
        return replace(chosen, **own)

    def having_of(self, spec: Spec, wanted: Mapping[str, str]) -> Self:
        """Return preferences with the wanted values of a game's preferences; all other values are ignored."""
        values = {
            preference.name: wanted[preference.name]
            for preference in spec.preferences
            if preference.takes(wanted.get(preference.name, ""))
        }
        return replace(self, games=tuple({**self.of_games, **values}.items())) if values else self

    @property
    def of_games(self) -> Mapping[str, str]:
        """Chosen values of the preferences that games have, by name."""
        return dict(self.games)

    @classmethod
    def of_cookie(cls, text: str) -> Self:
        """Return the preferences that a cookie keeps."""
        return cls().having(dict(parse_qsl(text)))

    def cookie(self) -> str:
        """Return the text that is kept in the cookie."""
        return urlencode({**{name: getattr(self, name) for name in CHOICES}, **self.of_games})


CHOICES: Final = {
    "language": ("", *languages.BY_CODE),
    "theme": ("auto", "light", "dark"),
    "four": ("0", "1"),
    "speed": ("normal", "fast"),
    "deal": ("quick", "cut"),
    "sound": ("", "0", "1"),
    "reactions": ("1", "0"),
    "coach": ("off", "after", "before"),
    "keys": ("1", "0"),
    "text": ("100", "125", "150", "200"),
    "large": ("0", "1"),
}
assert {*CHOICES, "games"} == {field.name for field in fields(Preferences)}


def game_choices() -> dict[str, tuple[str, ...]]:
    """Return the values of the preferences that games have, by name."""
    known = (preference for game in GAMES.values() for preference in game.spec.preferences)
    return {preference.name: tuple(preference.values) for preference in known}


def preferences() -> Preferences:
    """Return the preferences of the browser that makes the request."""
    chosen: Preferences | None = g.get("preferences")
    if chosen is None:
        chosen = g.preferences = _of_cookie(request.cookies.get(PREFERENCES_COOKIE, ""))
    return chosen


_of_cookie: Final = lru_cache(maxsize=128)(Preferences.of_cookie)  # most browsers have chosen the same. bench: server


def keep_preferences(response: Response, chosen: Preferences) -> None:
    """Put preferences into the cookie."""
    response.set_cookie(
        PREFERENCES_COOKIE, chosen.cookie(), max_age=COOKIE_DAYS * 24 * 3600, samesite="Lax", secure=request.is_secure
    )
