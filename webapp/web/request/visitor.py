"""Whoever is at the other end: the player in the signed cookie, and the preferences in a plain one."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self, cast
from urllib.parse import parse_qsl, urlencode

from flask import Response, g, request, session
from limits import parse_many

from webapp.config import COOKIE_DAYS, NEWCOMERS
from webapp.engine.games import GAMES
from webapp.engine.spec import Spec
from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.web import languages
from webapp.web.request.limits import limiter, remote_key
from webapp.web.request.session import Session

LANGUAGES: Final = {each.code: each.name for each in languages.LANGUAGES}
PREFERENCES_COOKIE: Final = "prefs"
_NEWCOMERS: Final = parse_many(NEWCOMERS)


@dataclass(frozen=True, slots=True)
class Preferences:
    """How this browser wants it. Readable, unsigned, nothing depends on it but looks, and what games need not ask.

    language: empty for the browser's. games: names and values of the preferences that games have.
    """

    language: str = ""
    theme: str = "auto"
    four: str = "0"
    speed: str = "normal"
    deal: str = "quick"
    sound: str = "0"
    games: tuple[tuple[str, str], ...] = ()

    def having(self, wanted: Mapping[str, str]) -> Self:
        """With those of the wanted values that are among the choices; whatever else is ignored."""
        own: dict[str, Any] = {name: wanted[name] for name, choices in CHOICES.items() if wanted.get(name) in choices}
        chosen = self
        for game in GAMES.values():
            chosen = chosen.having_of(game.spec, wanted)
        return replace(chosen, **own)

    def having_of(self, spec: Spec, wanted: Mapping[str, str]) -> Self:
        """Return preferences with the wanted values of those that a game has; whatever else is ignored."""
        values = {
            preference.name: wanted[preference.name]
            for preference in spec.preferences
            if wanted.get(preference.name) in preference.values
        }
        return replace(self, games=tuple({**self.of_games, **values}.items()))

    @property
    def of_games(self) -> Mapping[str, str]:
        """Chosen values of the preferences that games have, by name."""
        return dict(self.games)

    def cookie(self) -> str:
        return urlencode({**{name: getattr(self, name) for name in CHOICES}, **self.of_games})


CHOICES: Final = {
    "language": ("", *LANGUAGES),
    "theme": ("auto", "light", "dark"),
    "four": ("0", "1"),
    "speed": ("normal", "fast"),
    "deal": ("quick", "cut"),
    "sound": ("0", "1"),
}
assert {*CHOICES, "games"} == {field.name for field in fields(Preferences)}


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


def player() -> str | None:
    """Id of the player, if this browser has played before."""
    found = session.get("player")
    return found if isinstance(found, str) else None


def player_made() -> str:
    """Id of the player, who is made now if need be: by a POST, never by a GET. Refusal ``too-many-newcomers``."""
    require_readable()
    known = player()
    if known is None or not players.is_known(known):
        _count_newcomer()
        known = session["player"] = players.new_player()
        session.permanent = True
    return known


def _count_newcomer() -> None:
    """Each brings rows that stay: a player, a purse, a hand. Who is known already is not asked for an address."""
    if limiter.enabled and not all(limiter.limiter.hit(limit, "newcomers", remote_key()) for limit in _NEWCOMERS):
        raise Refusal("too-many-newcomers")


def require_readable() -> None:
    """Nothing is done for a browser whose cookie says something that we cannot read just now."""
    if cast(Session, session).unreadable:
        raise Refusal("cookie-unreadable")


def boxes() -> dict[str, object]:
    """The sealed boxes of open hands and shoes, by key."""
    found = session.get("box")
    return dict(found) if isinstance(found, dict) else {}


def keep_box(deck: str, token: str, still_open: tuple[str, ...]) -> None:
    """Put the box of a new hand or shoe into the cookie, and drop those that nobody needs any more."""
    session["box"] = {key: box for key, box in boxes().items() if key in still_open} | {deck: token}


def drop_box(deck: str) -> None:
    session["box"] = {key: box for key, box in boxes().items() if key != deck}


def start_afresh() -> None:
    """Forget this browser's player."""
    cast(Session, session).unreadable = False
    session.clear()
    session.modified = True
