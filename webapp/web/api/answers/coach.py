"""Answers of the coach."""

from dataclasses import dataclass
from typing import Annotated

from webapp.engine.odds.grade import Grade
from webapp.web.api.answers.odds import OddsAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachPendingAnswer:
    """The coach's answer is being worked out: ask again in a second."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that the decision is about."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "The same as a sentence."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachAnswer:
    """Values of a decision of the player's own hand, before it or after it."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that the decision is about."]
    helped: Annotated[bool, "A hint was shown before a decision of this hand: it is played with help."]
    grade: Annotated[
        Grade | None,
        "The quality of the decision that was made; null before it, and where no action was better than another.",
    ]
    odds: Annotated[OddsAnswer, "All actions that the purse could pay, best first, and the address of their page."]
