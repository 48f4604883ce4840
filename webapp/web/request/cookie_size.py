"""The size of the session cookie, which browsers bound."""

from typing import Final

from flask import current_app
from flask.sessions import SecureCookieSessionInterface

LIMIT: Final = 3800
"""Bytes of the cookie. Browsers drop one of more than 4,096 with its name and attributes, and the hands with it."""


def fits(content: dict[str, object]) -> bool:
    """Return True if a session of this content may be sent as a cookie."""
    interface = current_app.session_interface
    assert isinstance(interface, SecureCookieSessionInterface)
    serializer = interface.get_signing_serializer(current_app)
    assert serializer is not None
    return len(serializer.dumps(content)) <= LIMIT
