"""Comparison of two hands with the same cards, and with the crowd, as rows of a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webapp.engine.cards import Card
from webapp.services.deals.crowd import CrowdDecision, SideBySide
from webapp.services.records.finished import Finished, ReplayStep
from webapp.web.hand_page import review_page
from webapp.web.hand_page.review_page import Decided


@dataclass(frozen=True, slots=True)
class Laid:
    """The hand before a decision, so that its actions can be named by their cards."""

    hand: tuple[Card, ...]

    def cards(self, place: str) -> tuple[Card, ...]:
        """Return the cards of a place, as a question to the odds desk does."""
        return self.hand if place == "cards" else ()


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A decision: the step after it here and in the other hand, and what the crowd did at it.

    ``same``: both came to it with the same cards; ``alike``: and both did the same. ``worth`` and ``their_worth`` are
    None where nothing was to be decided, or where the page does not tell what a decision was worth.
    """

    number: int
    mine: ReplayStep | None
    theirs: ReplayStep | None
    same: bool
    alike: bool
    laid: Laid
    their_laid: Laid
    crowd: CrowdDecision | None
    worth: Decided | None
    their_worth: Decided | None


Document = Mapping[str, Any]


def compared_rows(
    hand: Finished, found: SideBySide, reviews: tuple[Document | None, Document | None] | None = None
) -> tuple[ComparedRow, ...]:
    """Return a row for every decision of either hand.

    Args:
        reviews: Those of both hands, None for one that is not there yet; without it no worth is told.
    """
    mine, theirs = hand.steps, found.original.steps if found.original else ()
    worth, their_worth = (
        (_worths(hand, reviews[0]), _worths(found.original, reviews[1])) if reviews and found.original else ({}, {})
    )
    crowd = {decision.step: decision for decision in found.crowd.decisions} if found.crowd else {}
    return tuple(
        ComparedRow(
            number=number,
            mine=mine[number] if number < len(mine) else None,
            theirs=theirs[number] if number < len(theirs) else None,
            same=number <= found.common + 1,
            alike=number <= found.common,
            laid=laid(mine, number),
            their_laid=laid(theirs, number),
            crowd=crowd.get(number - 1),
            worth=worth.get(number - 1),
            their_worth=their_worth.get(number - 1),
        )
        for number in range(1, max(len(mine), len(theirs)))
    )


def _worths(hand: Finished, review: Document | None) -> dict[int, Decided]:
    return {decided.step: decided for decided in review_page.of(hand, review, hand.steps[0]).decisions}


def laid(steps: Sequence[ReplayStep], number: int) -> Laid:
    """Return the hand before a step."""
    return Laid(tuple(getattr(steps[number - 1].view, "hand", ())) if number <= len(steps) else ())
