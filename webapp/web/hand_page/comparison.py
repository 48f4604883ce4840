"""Comparison of two hands with the same cards, and with the crowd, as rows of a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.engine.cards import Card
from webapp.services.deals.crowd import CrowdDecision, SideBySide
from webapp.services.records.finished import Finished, ReplayStep


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

    ``same``: both came to it with the same cards; ``alike``: and both did the same.
    """

    number: int
    mine: ReplayStep | None
    theirs: ReplayStep | None
    same: bool
    alike: bool
    laid: Laid
    their_laid: Laid
    crowd: CrowdDecision | None


def compared_rows(hand: Finished, found: SideBySide) -> tuple[ComparedRow, ...]:
    """Return a row for every decision of either hand."""
    mine, theirs = hand.steps, found.original.steps if found.original else ()
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
        )
        for number in range(1, max(len(mine), len(theirs)))
    )


def laid(steps: Sequence[ReplayStep], number: int) -> Laid:
    """Return the hand before a step."""
    return Laid(tuple(getattr(steps[number - 1].view, "hand", ())) if number <= len(steps) else ())
