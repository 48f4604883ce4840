"""Flask's session in a signed cookie, which does not expire and is not overwritten if it cannot be read.

Several answers may set the cookie at about the same time, and the last one wins: a late answer to a request from before
*end all other sessions* would bring back the number of an ended session. So the number is also stored in a cookie of
its own, whose name contains it: no answer overwrites the cookie of another session.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from webapp.services.players import PlayerSession
from webapp.web.request.limits import SIGNED_PLAYER

COOKIE: Final = "tefuda"
"""Name of the cookie on a site that is reached by http."""
SECURE_PREFIX: Final = "__Host-"
"""Prefix of the name if the site is reached by https: browsers accept such a cookie from this very host only."""
NUMBER: Final = "session"
"""Key of the session number, which is set once the player has ended all other sessions."""
MOST: Final = 8
"""Maximum number of such cookies that count. A browser has one, or two while answers are late."""
TRIED: Final = 4 * MOST
"""Maximum number of such cookies that are verified: some may be of players that a restore has lost."""

FOR_NOBODY: Final = re.compile(r"/h/[^/]+/embed|/oembed")
"""Addresses that belong to pages of other sites: no cookie is read or set there, whoever asks."""


def _named(content: object) -> PlayerSession | None:
    if not isinstance(content, dict):
        return None
    player, number = content.get("player"), content.get(NUMBER, 0)
    return PlayerSession(player, number) if isinstance(player, str) and isinstance(number, int) else None


class Session(SecureCookieSession):
    """A session, and how its cookies were read."""

    unreadable = False
    """True if no key of the site opens the cookie. It is not overwritten unless the player asks to start afresh: a key
    that is wrong for a minute must not cost anybody their player."""
    renamed = False
    """True if the cookie has the name from before the site was reached by https."""
    numbered: dict[str, PlayerSession]
    """Players and numbers in the cookies with a number, by the names of these cookies."""
    begun: PlayerSession | None = None
    """A session that begins with this answer, and ends those of the other cookies."""

    def __init__(self, initial: Any = None) -> None:
        super().__init__(initial)
        self.numbered = {}

    def named(self) -> Iterator[PlayerSession]:
        """Yield the sessions in all cookies, numbered ones first: a late answer may have overwritten the other."""
        yield from self.numbered.values()
        own = _named(self)
        if own is not None:
            yield own


class ClocklessSessionInterface(SecureCookieSessionInterface):
    """Sessions that do not expire.

    Flask's signer would refuse cookies as "from the future" after the clock of the server was set back.
    """

    session_class = Session

    def __init__(self) -> None:
        self._signer: tuple[tuple[object, ...], URLSafeTimedSerializer | None] | None = None
        self._loads: tuple[URLSafeTimedSerializer, Callable[[str], Any]] | None = None

    def open_session(self, app: Flask, request: Request) -> Session | None:
        """Return the session of a request, and store its player for the rate limits."""
        if FOR_NOBODY.fullmatch(request.path):
            request.environ.pop("HTTP_COOKIE", None)
        loads = self._reader(self._serializer(app))
        session, value = Session(), request.cookies.get(self.get_cookie_name(app))
        if value is None and self.get_cookie_name(app) != COOKIE:
            value = request.cookies.get(COOKIE)
            session.renamed = bool(value)
        if value:
            try:
                content = loads(value)
                renamed, session = session.renamed, Session(content if isinstance(content, dict) else None)
                session.renamed = session.modified = renamed
            except (BadSignature, ValueError):
                session.unreadable = True
        name = COOKIE if session.renamed else self.get_cookie_name(app)
        session.numbered = dict(islice(_numbered(loads, request, f"{name}-"), MOST))
        signed = next(session.named(), None)
        if signed is not None:
            request.environ[SIGNED_PLAYER] = signed
        return session

    def _serializer(self, app: Flask) -> URLSafeTimedSerializer:
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has no secret key"
        return serializer

    def _reader(self, serializer: URLSafeTimedSerializer) -> Callable[[str], Any]:
        """Return ``serializer.loads`` with a cache: a player sends the same cookie with every move. bench: server.

        What it returns is shared between requests, and must not be changed.
        """
        if self._loads is None or self._loads[0] is not serializer:
            self._loads = serializer, lru_cache(maxsize=1024)(serializer.loads)
        return self._loads[1]

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return the signer of an app. It is cached by its keys: making one costs more than a signature.

        bench: server
        """
        keys = (app.secret_key, *app.config["SECRET_KEY_FALLBACKS"])
        if self._signer is None or self._signer[0] != keys:
            self._signer = keys, super().get_signing_serializer(app)
        return self._signer[1]

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie, unless the one that was received could not be read.

        A cookie that is only renamed is not set by answers that proxies may cache.
        """
        if isinstance(session, Session) and (session.unreadable or (session.renamed and response.cache_control.public)):
            return
        super().save_session(app, session, response)
        if not isinstance(session, Session):
            return
        if session.renamed:
            response.delete_cookie(COOKIE, path=self.get_cookie_path(app))
        kept = ""
        if session.begun is not None:
            player, number = session.begun
            kept, content = f"{self.get_cookie_name(app)}-{number}", {"player": player, NUMBER: number}
            seconds = int(app.permanent_session_lifetime.total_seconds())
            response.set_cookie(kept, self._serializer(app).dumps(content), max_age=seconds, **self._attributes(app))
        is_over = session.modified and not session
        for name in session.numbered if kept or is_over else ():
            if name != kept:
                response.delete_cookie(name, **self._attributes(app))

    def _attributes(self, app: Flask) -> dict[str, Any]:
        return {
            "path": self.get_cookie_path(app),
            "secure": self.get_cookie_secure(app),
            "httponly": self.get_cookie_httponly(app),
            "samesite": self.get_cookie_samesite(app),
        }


def _numbered(loads: Callable[[str], Any], request: Request, prefix: str) -> Iterator[tuple[str, PlayerSession]]:
    """Yield the names of cookies with a number, and the sessions in them."""
    numbered = ((name, value) for name, value in request.cookies.items() if name.startswith(prefix))
    for name, value in islice(numbered, TRIED):
        try:
            named = _named(loads(value))
        except (BadSignature, ValueError):
            continue
        if named is not None:
            yield name, named
