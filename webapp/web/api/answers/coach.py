"""Answers of the coach."""

from dataclasses import dataclass
from typing import Annotated

from webapp.engine.odds.value import Grade
from webapp.web.api.answers.odds import OddsAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachPendingAnswer:
    """The coach's answer is being computed: repeat the request in a second."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that is decided."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "A sentence that says so."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CoachAnswer:
    """The coach's answer: values of the actions of a decision, before or after it."""

    hand: Annotated[str, "Key of the hand."]
    step: Annotated[int, "Number of the move that is decided."]
    helped: Annotated[bool, "A hint was shown before a decision of this hand, which counts as played with help."]
    grade: Annotated[
        Grade | None,
        "Grade of the decision; null before it, and if no action was better than another.",
    ]
    odds: Annotated[OddsAnswer, "All actions that the purse can pay, best first, and the address of their page."]
