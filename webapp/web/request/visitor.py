"""The player whose browser makes the request, as the signed cookie names them."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from flask import request, session

from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.services.players import PlayerSession
from webapp.web.request.limits import count_newcomer
from webapp.web.request.session import NUMBER, Session

T = TypeVar("T")

_KNOWN: Final = "tefuda.visitor"
"""Key in the WSGI environment, for the rest of the request: the player, or None."""


def player() -> str | None:
    """Return the id of the player, None for a browser that has not played yet, or whose session was ended."""
    known = request.environ.get(_KNOWN, "")
    if known == "":
        known = request.environ[_KNOWN] = _signed_in()
    return cast("str | None", known)


def player_or_session() -> str | PlayerSession | None:
    """Return the player, or the one session that the cookies name, for a query that checks if it goes on.

    The row of a hand is looked for with its player (``OwnedRows``), so a move needs no query of its own for that.
    bench: server
    """
    if _KNOWN in request.environ or _session().numbered:
        return player()
    return next(_session().named(), None)


def session_number() -> int:
    """Return the number of the session of ``player``, as the cookie names it."""
    number: int = session.get(NUMBER, 0)
    return number


def assume(known: str | None) -> None:
    """Let this be the player of a request that no browser has made."""
    request.environ[_KNOWN] = known


def _signed_in() -> str | None:
    """Return the player of the first cookie whose session has not ended."""
    for named in _session().named():
        number = players.session_number(named.player)
        if number == named.number:
            _remember(named)
            return named.player
        if number is None and named.player == session.get("player"):
            return named.player
    return None


def _remember(named: PlayerSession) -> None:
    """Let the session be this one, whatever a late answer has made of it. It is written when it changes otherwise."""
    if (session.get("player"), session.get(NUMBER, 0)) == named:
        return
    modified = session.modified
    if session.get("player") != named.player:
        session.clear()
    session["player"], session[NUMBER], session.permanent = named.player, named.number, True
    session.modified = modified


def end_other_sessions(once: str) -> str | None:
    """Make every other copy of this browser's cookies worthless. Return the player, None if they are worthless.

    ``once``: a word of the page that asks; with it, the same request may be sent again.
    """
    for named in tuple(_session().named()):
        number = players.end_other_sessions(named.player, named.number, once)
        if number is not None:
            _session().begun = PlayerSession(named.player, number)
            _remember(PlayerSession(named.player, number))
            session.modified = True
            request.environ[_KNOWN] = named.player
            return named.player
    return None


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


def as_player(begin: Callable[[str], T], require: Callable[[], object] | None = None) -> T:
    """Return what a player begins, who is created if there is none, or none that is known since a backup was restored.

    ``require``: refuses what nobody could begin, before a player is created for it.

    Raises:
        Refusal: ``cookie-unreadable``, ``too-many-newcomers``, or as ``begin`` does.
    """
    require_readable()
    if require is not None and player() is None:
        require()
    return begin(require_player())


def require_readable() -> None:
    """Refuse to act for a browser whose cookie none of our keys opens just now.

    Raises:
        Refusal: ``cookie-unreadable``.
    """
    if _session().unreadable:
        raise Refusal("cookie-unreadable")


def is_readable() -> bool:
    """Return True if no cookie came, or one that a key of ours opens."""
    return not _session().unreadable


def start_afresh() -> None:
    """Forget this browser's player."""
    _session().unreadable = False
    session.clear()
    session.modified = True
    request.environ[_KNOWN] = None


def _session() -> Session:
    return cast(Session, session)
