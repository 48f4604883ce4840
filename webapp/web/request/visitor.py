"""The player whose browser makes the request, as the signed cookie names them."""

from typing import cast

from flask import session

from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.web.request.limits import count_newcomer
from webapp.web.request.session import Session


def player() -> str | None:
    """Return the id of the player, None for a browser that has not played yet."""
    known = session.get("player")
    return known if isinstance(known, str) else None


def require_player() -> str:
    """Return the id of the player, who is created if there is none. For requests that change something, never for GET.

    Raises:
        Refusal: ``cookie-unreadable``, ``too-many-newcomers``.
    """
    require_readable()
    known = player()
    if known is None or not players.is_known(known):
        count_newcomer()
        known = session["player"] = players.new_player()
        session.permanent = True
    return known


def require_readable() -> None:
    """Refuse to act for a browser whose cookie none of our keys opens just now.

    Raises:
        Refusal: ``cookie-unreadable``.
    """
    if cast(Session, session).unreadable:
        raise Refusal("cookie-unreadable")


def start_afresh() -> None:
    """Forget this browser's player."""
    cast(Session, session).unreadable = False
    session.clear()
    session.modified = True
