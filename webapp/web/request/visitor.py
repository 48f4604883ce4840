"""The player whose browser makes the request, as the signed cookie names them."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from flask import request, session

from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.web.request.limits import count_newcomer
from webapp.web.request.session import Session

T = TypeVar("T")

_KNOWN: Final = "tefuda.visitor"
"""Key in the WSGI environment, for the rest of the request: the player, or None."""
NUMBER: Final = "session"
"""Key in the cookie for the number of the player's sessions, once they were ended for the first time."""


def player() -> str | None:
    """Return the id of the player, None for a browser that has not played yet, or whose session was ended."""
    known = request.environ.get(_KNOWN, "")
    if known == "":
        known = request.environ[_KNOWN] = _signed_in()
    return cast("str | None", known)


def assume(known: str | None) -> None:
    """Let this be the player of a request that no browser has made."""
    request.environ[_KNOWN] = known


def _signed_in() -> str | None:
    known = session.get("player")
    if not isinstance(known, str):
        return None
    number = players.session_number(known)
    return known if number is None or number == session.get(NUMBER, 0) else None


def end_other_sessions(once: str) -> bool:
    """Make every other copy of this browser's cookie worthless. Return False if there is none, or this one is.

    ``once``: a word of the page that asks; with it, the same request may be sent again.
    """
    known = session.get("player")
    if not isinstance(known, str):
        return False
    number = players.end_other_sessions(known, session.get(NUMBER, 0), once)
    if number is None:
        return False
    session[NUMBER] = number
    return True


def require_player() -> str:
    """Return the id of the player, who is created if there is none. For requests that change something, never for GET.

    Raises:
        Refusal: ``cookie-unreadable``, ``too-many-newcomers``.
    """
    require_readable()
    known = player()
    if known is None or not players.is_known(known):
        count_newcomer()
        if known is None and "player" in session:
            session.clear()  # what lies in a session that was ended is not the new player's
        known = session["player"] = request.environ[_KNOWN] = players.new_player()
        session.permanent = True
    return known


def as_player(begin: Callable[[str], T]) -> T:
    """Return what a player begins, who is created if there is none, or none that is known since a backup was restored.

    Raises:
        Refusal: ``cookie-unreadable``, ``too-many-newcomers``, or as ``begin`` does.
    """
    require_readable()
    return begin(require_player())


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
    request.environ[_KNOWN] = None
