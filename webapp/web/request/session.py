"""Flask's signed cookie, without a clock, and careful with what it cannot read."""

from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

from webapp.web.request.limits import SIGNED_PLAYER


class Session(SecureCookieSession):
    """A session that knows if it could be read."""

    unreadable = False
    """True if a cookie came that no key of ours reads. It is left alone unless the player asks to start afresh: a wrong
    key deployed for a minute must wipe nobody."""


class ClocklessSessionInterface(SecureCookieSessionInterface):
    """Sessions whose age does not matter.

    Flask's signer would refuse a cookie "from the future" after the server's clock was set back.
    """

    session_class = Session

    def open_session(self, app: Flask, request: Request) -> Session | None:
        """Return the session of a request, and note its player for the rate limits."""
        serializer = self.get_signing_serializer(app)
        assert serializer is not None, "the app has no secret key"
        value = request.cookies.get(self.get_cookie_name(app))
        session = Session()
        if value:
            try:
                content: Any = serializer.loads(value)
                session = Session(content if isinstance(content, dict) else None)
            except (BadSignature, ValueError):
                session.unreadable = True
        player = session.get("player")
        if isinstance(player, str):
            request.environ[SIGNED_PLAYER] = player
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Put the session into the cookie, unless it could not be read."""
        if isinstance(session, Session) and session.unreadable:
            return
        super().save_session(app, session, response)
