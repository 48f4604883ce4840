"""Flask's signed cookie, without a clock, and careful with what it cannot read."""

from typing import Any, Final

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

from webapp.web.request.limits import SIGNED_PLAYER

COOKIE: Final = "tefuda"
"""Name of the cookie where the site is reached by http."""
SECURE_PREFIX: Final = "__Host-"
"""Before the name where it is reached by https: browsers take such a cookie from this very host alone."""


class Session(SecureCookieSession):
    """A session that knows if it could be read."""

    unreadable = False
    """True if a cookie came that no key of ours reads. It is left alone unless the player asks to start afresh: a wrong
    key deployed for a minute must wipe nobody."""
    renamed = False
    """True if it came under the name that the cookie had before the site was reached by https."""


class ClocklessSessionInterface(SecureCookieSessionInterface):
    """Sessions whose age does not matter.

    Flask's signer would refuse a cookie "from the future" after the server's clock was set back.
    """

    session_class = Session

    def open_session(self, app: Flask, request: Request) -> Session | None:
        """Return the session of a request, and note its player for the rate limits."""
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has no secret key"
        session, value = Session(), request.cookies.get(self.get_cookie_name(app))
        if value is None and self.get_cookie_name(app) != COOKIE:
            value = request.cookies.get(COOKIE)
            session.renamed = bool(value)
        if value:
            try:
                content: Any = serializer.loads(value)
                renamed, session = session.renamed, Session(content if isinstance(content, dict) else None)
                session.renamed = session.modified = renamed
            except (BadSignature, ValueError):
                session.unreadable = True
        player = session.get("player")
        if isinstance(player, str):
            request.environ[SIGNED_PLAYER] = player
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Put the session into the cookie, unless it could not be read.

        One that only gets its new name does so with an answer that no proxy may keep.
        """
        if isinstance(session, Session) and (session.unreadable or (session.renamed and response.cache_control.public)):
            return
        super().save_session(app, session, response)
        if isinstance(session, Session) and session.renamed:
            response.delete_cookie(COOKIE, path=self.get_cookie_path(app))
