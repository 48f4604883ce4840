"""Rate limits: what a request counts for, and how much of it there may be."""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

from flask import request
from flask_limiter import Limit, Limiter
from limits import parse, parse_many

from webapp.config import NEWCOMERS
from webapp.ip_addresses import address_key
from webapp.services.core.errors import Refusal

P = ParamSpec("P")
R = TypeVar("R")

SIGNED_PLAYER: Final = "tefuda.player"
"""Key in the WSGI environment: player and number of sessions in the signed cookie. Whoever asks the session for them
marks the answer as one that differs by cookie."""
TOGETHER: Final = 10
"""All players of one address may do so many times what each of them may: a school sits behind one."""
_NEWCOMERS: Final = parse_many(NEWCOMERS)


def remote_key() -> str:
    """Return the key by which the address of the request is counted; an IPv6 address is counted by its /64."""
    return address_key(request.remote_addr or "127.0.0.1")


def caller() -> str:
    """Return who a request counts for: a player if a cookie of ours names one, else the address.

    A made-up cookie has no signature, and each player has been counted as a newcomer of an address. A cookie of an
    ended session counts apart: who has it cannot use up what the player may do.
    """
    signed = request.environ.get(SIGNED_PLAYER)
    return "player {} {}".format(*signed) if signed else f"address {remote_key()}"


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
    """Limit a view instead of the default limits.

    It counts each player, all players of an address together, and all others of an address.
    """
    own = limiter.limit(rate)
    together = limiter.limit(_for_all(rate), key_func=remote_key, exempt_when=_is_nobody)

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        return together(own(view))

    return decorate


def limited_by_address(rate: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit a view for all of an address together: for what costs much, and nobody needs often."""
    return limiter.limit(rate, key_func=remote_key)


def is_within(rate: str, scope: str) -> bool:
    """Count something that only some requests are; return True if it is within its limits, which are as a view's."""
    if not limiter.enabled:
        return True
    own, together = parse(rate), parse(_for_all(rate))
    return limiter.limiter.hit(own, scope, caller()) and (
        _is_nobody() or limiter.limiter.hit(together, scope, remote_key())
    )


def count_newcomer() -> None:
    """Count a new player against the limits of the address: each of them brings rows that stay.

    Raises:
        Refusal: ``too-many-newcomers``.
    """
    if limiter.enabled and not all(limiter.limiter.hit(limit, "newcomers", remote_key()) for limit in _NEWCOMERS):
        raise Refusal("too-many-newcomers")
