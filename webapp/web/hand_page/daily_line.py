"""The line by which a player shares the result of a daily deal, without a word about its cards."""

from collections.abc import Sequence
from typing import Final

from webapp.services.deals.day_view import DealOfDay
from webapp.services.review.quality import Quality
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import percent_sign
from webapp.web.i18n.vocabulary import game_name

GOOD: Final = "♠"
COSTLY: Final = "♢"
MOST: Final = 12
"""Decisions that have a sign of their own."""


def signs_of_deals(deals: Sequence[Quality | None]) -> str:
    """Return a sign for each deal: whether its decisions gave anything away. None: that is not known yet."""
    return "".join(GOOD if quality.cost <= 0 else COSTLY for quality in deals if quality)


def line(day: str, deal: DealOfDay, url: str, quality: Quality | None = None) -> str:
    """Return the line of a deal that was played.

    ``quality`` is that of the decisions once all are priced: a sign for each, and how much they have kept.
    """
    signs = "".join(GOOD if cost <= 0 else COSTLY for cost in quality.costs[:MOST]) if quality else ""
    said = _("%(percent)s well played", percent=f"{quality.percent}{percent_sign()}") if quality else ""
    return " ".join(part for part in ("Tefuda", day, game_name(deal.game), signs, said, url) if part)
