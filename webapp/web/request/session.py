"""Flask's signed cookie, with two habits of its own."""

from typing import Any

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

from webapp.web.request.limits import SIGNED_PLAYER


class Session(SecureCookieSession):
    """``unreadable``: a cookie came that no key of ours reads. It is left alone unless the player asks to start afresh:
    a wrong key deployed for a minute must wipe nobody.
    """

    unreadable = False


class ClocklessSessionInterface(SecureCookieSessionInterface):
    """No clock: Flask's signer would refuse a cookie "from the future" after the server's clock was set back."""

    session_class = Session

    def __init__(self) -> None:
        self._made: tuple[object, URLSafeTimedSerializer | None] | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """One for as long as the keys are the same: it is asked for twice a request, and takes a while to make."""
        keys = app.secret_key, tuple(app.config["SECRET_KEY_FALLBACKS"] or ())
        if self._made is None or self._made[0] != keys:
            self._made = keys, super().get_signing_serializer(app)
        return self._made[1]

    def open_session(self, app: Flask, request: Request) -> Session | None:
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
        if isinstance(session, Session) and session.unreadable:
            return
        super().save_session(app, session, response)
