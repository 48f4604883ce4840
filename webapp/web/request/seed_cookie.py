"""The signed cookie with the sealed seeds of a player's open hands and shoes.

How a seed is sealed and opened: ``services.fairness.sealing``.
"""

from collections.abc import Mapping

from flask import session

from webapp.web.request import cookie_size


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
    while box != known and not cookie_size.fits({**session, "box": box}):
        box.pop(next(iter(box)))
    if box != known:
        session["box"] = box


def drop(key: str) -> None:
    """Remove the sealed seed of a hand or shoe from the cookie."""
    session["box"] = {known: kept for known, kept in sealed_seeds().items() if known != key}
