"""Rate limits of requests, by player and by address, and the limit of guesses of codes and links."""

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from flask import Response, current_app, has_request_context, request
from flask.typing import ResponseReturnValue
from flask_limiter import Limit, Limiter
from limits import parse, parse_many

from webapp.config import NEWCOMERS
from webapp.ip_addresses import address_key
from webapp.services.core.errors import Refusal
from webapp.services.workers import THE_SITE

P = ParamSpec("P")
R = TypeVar("R")

SIGNED_PLAYER: Final = "tefuda.player"
"""Key in the WSGI environment of the player and session number in the signed cookie. Reading them from the session
instead would add ``Vary: Cookie`` to the answer."""
TOGETHER: Final = 10
"""The limit of all players of one address together, as a multiple of that of one: a school shares one address."""
_NEWCOMERS: Final = parse_many(NEWCOMERS)


def remote_key() -> str:
    """Return the key by which the address of the request is counted: for IPv6, the /64 network."""
    return address_key(request.remote_addr or "127.0.0.1")


def network_fingerprint() -> str | None:
    """Return what tells the network of this request from others, without naming it; None if there are no limits."""
    if not limiter.enabled:
        return None
    key = current_app.extensions["config"].secret_keys[0]
    return hmac.digest(key.encode(), f"network:{remote_key()}".encode(), "sha256").hex()[:16]


def caller() -> str:
    """Return the key by which a request is counted: that of the player in a signed cookie, otherwise of the address.

    Cookies cannot be forged, and making a player is limited by address. A cookie of an ended session is counted
    separately, so that it cannot use up the limit of the player.
    """
    signed = request.environ.get(SIGNED_PLAYER)
    return "player {} {}".format(*signed) if signed else f"address {remote_key()}"


def signed_player() -> str | None:
    """Return the player in the signed cookie, without a look into the database: the session may have ended."""
    signed = request.environ.get(SIGNED_PLAYER)
    return signed[0] if signed else None


def who_asks() -> tuple[str, str]:
    """Return address and caller of the request, by which computations are taken in turns."""
    return (remote_key(), caller()) if has_request_context() else THE_SITE


def _is_nobody() -> bool:
    return not request.environ.get(SIGNED_PLAYER)


def _for_all(rate: str) -> str:
    """Return the limit of all players of one address together, where this is the limit of each."""
    limit = parse(rate)
    return f"{TOGETHER * limit.amount} per {limit.multiples} {limit.GRANULARITY.name}"


limiter = Limiter(
    caller,
    default_limits=["3000/minute", Limit(_for_all("3000/minute"), key_function=remote_key, exempt_when=_is_nobody)],
    storage_uri="memory://",
    strategy="moving-window",
)


def limited(rate: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit a view, in place of the default limits.

    Counted are each player, all players of an address together, and other requests by address.
    """
    own = limiter.limit(rate)
    together = limiter.limit(_for_all(rate), key_func=remote_key, exempt_when=_is_nobody)

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        return together(own(view))

    return decorate


def limited_by_address(rate: str, each: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit a view by address, however many players it has: for expensive requests that nobody needs often.

    ``each``: the share of a player, and of all together who are none, so that one does not use up a school's.
    """
    own, together = limiter.limit(each), limiter.limit(rate, key_func=remote_key)

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        return together(own(view))

    return decorate


def is_within(rate: str, scope: str) -> bool:
    """Count an event within a view, such as a wrong code; return True if it is within limits like ``limited``'s."""
    if not limiter.enabled:
        return True
    own, together = parse(rate), parse(_for_all(rate))
    return limiter.limiter.hit(own, scope, caller()) and (
        _is_nobody() or limiter.limiter.hit(together, scope, remote_key())
    )


def count_newcomer() -> None:
    """Count a new player against the limits of the address: each one adds rows to the database.

    Raises:
        Refusal: ``too-many-newcomers``.
    """
    if limiter.enabled and not all(limiter.limiter.hit(limit, "newcomers", remote_key()) for limit in _NEWCOMERS):
        raise Refusal("too-many-newcomers")


_WRONG: Final = ("table-not-found", "circle-not-found", "link-over")
GUESSES: Final = "30/minute"
"""Wrong ones from one address."""


def guessing(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """Limit wrong codes and links of a view, and nothing else.

    A code that leads to a table is answered however many others were wrong, or one guesser would keep a whole school
    from playing.

    Raises:
        Refusal: ``too-many-guesses``.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        try:
            answered = view(*args, **kwargs)
        except Refusal as refusal:
            if refusal.code in _WRONG and not is_within(GUESSES, "guesses"):
                raise Refusal("too-many-guesses") from refusal
            raise
        wrong_link = isinstance(answered, Response) and answered.status_code == 404
        if wrong_link and not is_within(GUESSES, "guesses"):
            raise Refusal("too-many-guesses")
        return answered

    return guarded
