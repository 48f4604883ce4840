"""The signed cookie with the sealed seeds of a player's open hands and shoes, and its size.

How a seed is sealed and opened: ``services.fairness.sealing``.
"""

from collections.abc import Mapping
from typing import Final

from flask import current_app, session
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


def sealed_seeds() -> dict[str, object]:
    """Return the sealed seeds in the cookie, by the key of the hand or shoe."""
    stored = session.get("box")
    return dict(stored) if isinstance(stored, dict) else {}


def hold(held: Mapping[str, str | None]) -> None:
    """Make the cookie hold these sealed seeds, by key, and no others. None stands for one that only the cookie has.

    What does not fit is left out: its row has a copy. The cookie is not set if it holds them already.
    """
    known = sealed_seeds()
    box = {key: known.get(key) if seed is None else seed for key, seed in held.items()}
    box = {key: seed for key, seed in box.items() if seed is not None}
    while box != known and not fits({**session, "box": box}):
        box.pop(next(iter(box)))
    if box != known:
        session["box"] = box


def drop(key: str) -> None:
    """Remove the sealed seed of a hand or shoe from the cookie."""
    session["box"] = {known: kept for known, kept in sealed_seeds().items() if known != key}
