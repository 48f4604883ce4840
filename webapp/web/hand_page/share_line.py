"""The line with which a player tells others of a daily deal: it spoils nothing."""

from collections.abc import Sequence
from typing import Final

from webapp.services.deals.day_view import DealOfDay
from webapp.web.i18n.translations import percent_sign
from webapp.web.i18n.vocabulary import game_name

GOOD: Final = "♠"
COSTLY: Final = "♢"
MOST: Final = 12
"""Decisions that have a sign of their own."""


def line(day: str, deal: DealOfDay, url: str, costs: Sequence[float] = (), kept: float | None = None) -> str:
    """Return the line of a deal that was played.

    Args:
        costs: What each decision cost, in their order, once they are priced.
        kept: The share of what the hand was worth that the decisions have kept.
    """
    signs = "".join(GOOD if cost <= 0 else COSTLY for cost in costs[:MOST])
    percent = "" if kept is None else f"{max(0.0, kept):.0%}".replace("%", percent_sign())
    return " ".join(part for part in ("Tefuda", day, game_name(deal.game), signs, percent, url) if part)
