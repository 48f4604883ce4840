"""The signed cookie with the sealed seeds of a player's open hands and shoes.

How a seed is sealed and opened: ``services.fairness.sealing``.
"""

from typing import Final

from flask import current_app, session
from flask.sessions import SecureCookieSessionInterface

from webapp.services.core.errors import Refusal

LIMIT: Final = 3800
"""Bytes of the cookie. Browsers drop one of more than 4,096 with its name and attributes, and the hands with it."""


def sealed_seeds() -> dict[str, object]:
    """Return the sealed seeds in the cookie, by the key of the hand or shoe."""
    stored = session.get("box")
    return dict(stored) if isinstance(stored, dict) else {}


def require_room(key: str, sealed_seed: str, needed: tuple[str, ...]) -> None:
    """Refuse a new sealed seed that would not fit into the cookie beside those that are needed.

    Raises:
        Refusal: ``too-many-open-hands``.
    """
    if _length({**session, "box": _with(key, sealed_seed, needed)}) > LIMIT:
        raise Refusal("too-many-open-hands")


def keep(key: str, sealed_seed: str, needed: tuple[str, ...]) -> None:
    """Put the sealed seed of a new hand or shoe into the cookie, and drop those that nobody needs any more."""
    session["box"] = _with(key, sealed_seed, needed)


def drop(key: str) -> None:
    """Remove the sealed seed of a hand or shoe from the cookie."""
    session["box"] = {known: kept for known, kept in sealed_seeds().items() if known != key}


def _with(key: str, sealed_seed: str, needed: tuple[str, ...]) -> dict[str, object]:
    return {known: kept for known, kept in sealed_seeds().items() if known in needed} | {key: sealed_seed}


def _length(content: dict[str, object]) -> int:
    interface = current_app.session_interface
    assert isinstance(interface, SecureCookieSessionInterface)
    serializer = interface.get_signing_serializer(current_app)
    assert serializer is not None
    return len(serializer.dumps(content))
