"""Limit on new players: each of them brings rows that stay."""

from typing import Final

from limits import parse_many

from webapp.config import NEWCOMERS
from webapp.extensions import limiter, remote_key
from webapp.services.core.errors import Refusal

_NEWCOMERS: Final = parse_many(NEWCOMERS)


def count_newcomer() -> None:
    """Count a new player against the limits of the address that the request comes from.

    Raises:
        Refusal: ``too-many-newcomers``.
    """
    if limiter.enabled and not all(limiter.limiter.hit(limit, "newcomers", remote_key()) for limit in _NEWCOMERS):
        raise Refusal("too-many-newcomers")
