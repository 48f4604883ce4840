"""The signed cookie with the sealed seeds of a player's open hands and shoes.

How a seed is sealed and opened: ``services.fairness.sealing``.
"""

from flask import session

from webapp.services.core.errors import Refusal
from webapp.web.request import cookie_size


def sealed_seeds() -> dict[str, object]:
    """Return the sealed seeds in the cookie, by the key of the hand or shoe."""
    stored = session.get("box")
    return dict(stored) if isinstance(stored, dict) else {}


def require_room(key: str, sealed_seed: str, needed: tuple[str, ...]) -> None:
    """Refuse a new sealed seed that would not fit into the cookie beside those that are needed.

    Raises:
        Refusal: ``too-many-open-hands``.
    """
    if not cookie_size.fits({**session, "box": _with(key, sealed_seed, needed)}):
        raise Refusal("too-many-open-hands")


def keep(key: str, sealed_seed: str, needed: tuple[str, ...]) -> None:
    """Put the sealed seed of a new hand or shoe into the cookie, and drop those that are not ``needed`` any more."""
    session["box"] = _with(key, sealed_seed, needed)


def drop(key: str) -> None:
    """Remove the sealed seed of a hand or shoe from the cookie."""
    session["box"] = {known: kept for known, kept in sealed_seeds().items() if known != key}


def _with(key: str, sealed_seed: str, needed: tuple[str, ...]) -> dict[str, object]:
    return {known: kept for known, kept in sealed_seeds().items() if known in needed} | {key: sealed_seed}
