"""The player of the browser that makes the request, from its signed cookie."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from flask import abort, redirect, request, session

from webapp.engine.shuffling import is_word
from webapp.services import players
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.players import PlayerSession
from webapp.services.records import lookup
from webapp.services.records.finished import Finished
from webapp.web.request.limits import count_newcomer
from webapp.web.request.session import NUMBER, Session

T = TypeVar("T")

NEWCOMER: Final = "newcomer"
"""Field of forms that may make a player; and key of a session that has none yet."""
ASKED: Final = "cookies"
"""Argument of an address to which a form is sent once more."""
WORD_LENGTH: Final = 16
"""Least length of a browser's random word."""
_KNOWN: Final = "tefuda.visitor"
"""Key in the WSGI environment that caches the player, or None, for the rest of the request."""


def player() -> str | None:
    """Return the id of the player; None if this browser has not played yet or its session was ended."""
    known = request.environ.get(_KNOWN, "")
    if known == "":
        known = request.environ[_KNOWN] = _signed_in()
    return cast("str | None", known)


def finished_hand(key: str) -> Finished:
    """Return the finished hand of a link. The player is determined only if the hand is not public yet."""
    return lookup.finished_hand(key, player() if lookup.is_practice_key(key) else None)


def player_or_session() -> str | PlayerSession | None:
    """Return the player, or the session in the cookie for a query that itself checks if it has ended.

    The query for a hand joins its player (``OwnedRows``), which saves each move a query.
    bench: server
    """
    if _KNOWN in request.environ or _session().numbered:
        return player()
    return next(_session().named(), None)


def session_number() -> int:
    """Return the session number of ``player`` from the cookie."""
    number: int = session.get(NUMBER, 0)
    return number


def assume(known: str | None) -> None:
    """Set the player of a request context that was not made by a browser."""
    request.environ[_KNOWN] = known


def _signed_in() -> str | None:
    """Return the player of the first session that has not ended."""
    for named in _session().named():
        number = players.session_number(named.player)
        if number == named.number:
            _remember(named)
            return named.player
        if number is None and named.player == session.get("player"):
            return named.player
    return None


def _remember(named: PlayerSession) -> None:
    """Restore the content of the session if a late answer has overwritten it. The next change sets the cookie."""
    if (session.get("player"), session.get(NUMBER, 0)) == named:
        return
    modified = session.modified
    if session.get("player") != named.player:
        session.clear()
    session["player"], session[NUMBER], session.permanent = named.player, named.number, True
    session.modified = modified


def sign_in(named: PlayerSession) -> None:
    """Make this browser that of a player, in place of the one that it was."""
    session.clear()
    session["player"], session[NUMBER], session.permanent = named.player, named.number, True
    _session().begun = named
    request.environ[_KNOWN] = named.player


def end_other_sessions(once: str) -> str | None:
    """End all sessions of the player but this browser's. Return the player, None if that one has ended already.

    ``once``: random word of the form, which makes a repeated request harmless.
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
    """Return the id of the player, who is created if there is none. Not to be used for GET requests.

    Raises:
        Refusal: ``cookie-unreadable``, ``no-cookies``, ``too-many-newcomers``.
    """
    require_readable()
    known = player()
    if known is None or not players.is_known(known):
        word = _word_of_newcomer()
        count_newcomer()
        if known is None:
            session.clear()  # its content belongs to the player of an ended session, or to nobody
        known = session["player"] = request.environ[_KNOWN] = players.new_player(word)
        session.permanent = True
    return known


def _word_of_newcomer() -> str:
    """Return the random word of a browser that is about to become a player, empty for a program.

    Forms of pages have a field for it. A browser that sends one without any cookie is asked to send the form once more
    with a cookie: so one that keeps none is told so, and makes no player.

    Raises:
        Refusal: ``no-cookies``.
    """
    word = request.form.get(NEWCOMER)
    if word is None:
        return ""
    if not session:
        if ASKED in request.args:
            raise Refusal("no-cookies")
        session[NEWCOMER] = new_key(22)
        abort(redirect(f"{request.script_root}{request.path}?{ASKED}=1", 307))
    kept = word if len(word) >= WORD_LENGTH and is_word(word) else session.get(NEWCOMER)
    return kept if isinstance(kept, str) else ""


def as_player(begin: Callable[[str], T], require: Callable[[], object] | None = None) -> T:
    """Return the result of ``begin`` for the player, who is created if there is none or if a restore has lost the row.

    ``require``: called before a player is created; raises a refusal if nobody could begin this.

    Raises:
        Refusal: ``cookie-unreadable``, ``too-many-newcomers``, or as ``begin`` does.
    """
    require_readable()
    if require is not None and player() is None:
        require()
    return begin(require_player())


def require_readable() -> None:
    """Refuse to act for a browser whose cookie no key of the site opens.

    Raises:
        Refusal: ``cookie-unreadable``.
    """
    if _session().unreadable:
        raise Refusal("cookie-unreadable")


def require_cookie() -> None:
    """Refuse what a page of this site sends about a hand without any cookie. Programs name no page that they come from.

    Raises:
        Refusal: ``no-cookies``.
    """
    if not session and request.referrer:
        raise Refusal("no-cookies")


def is_readable() -> bool:
    """Return True if the browser has sent no cookie, or one that a key of the site opens."""
    return not _session().unreadable


def start_afresh() -> None:
    """Forget this browser's player."""
    _session().unreadable = False
    session.clear()
    session.modified = True
    request.environ[_KNOWN] = None


def _session() -> Session:
    return cast(Session, session)
