"""Answer about the review of a finished hand: what every decision was worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from webapp.web.api.serialize import ABSENT, Absent


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewOptionAnswer:
    """A legal action and its worth."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Chips won or lost on average under best play afterwards; points where nothing is staked."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewDecisionAnswer:
    """A decision of a finished hand."""

    step: Annotated[int, "Actions before it: what `step` of `/odds/<game>?hand=` and of the page means."]
    seat: Annotated[int, "Whose it was: the place in stakes and payouts, 0 of a hand."]
    action: Annotated[str, "What was done."]
    value: Annotated[float, "What that was worth."]
    best: Annotated[str, "The best action; what was done if nothing was better."]
    best_value: Annotated[float, "What that was worth."]
    cost: Annotated[float, "The difference; never negative."]
    grade: Annotated[
        str | None,
        "`best`, `fine`, `slip`, `mistake` or `blunder`; null for a fair bet, where no action is better than another.",
    ]
    options: Annotated[tuple[ReviewOptionAnswer, ...], "All legal actions, best first."]

    @classmethod
    def of(cls, decision: Mapping[str, Any]) -> "ReviewDecisionAnswer":
        """Return the answer about a decision of a stored review."""
        return cls(
            step=decision["step"],
            seat=decision["seat"],
            action=decision["action"],
            value=decision["value"],
            best=decision["best"],
            best_value=decision["best_value"],
            cost=decision["cost"],
            grade=decision["grade"],
            options=tuple(
                ReviewOptionAnswer(action=option["action"], value=option["value"]) for option in decision["options"]
            ),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewSeatAnswer:
    """The part of one seat of a round: `start` + `luck` - `cost` = `payout`."""

    seat: Annotated[int, "Its place in stakes and payouts."]
    start: Annotated[float, "What the place was worth before the deal."]
    luck: Annotated[float, "What cards, and what others did, brought."]
    cost: Annotated[float, "What its decisions cost."]
    payout: Annotated[float, "Chips won or lost."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewAnswer:
    """Values of every decision of a hand, and the share of luck: `start` + `luck` - `cost` = `payout`."""

    decisions: Annotated[tuple[ReviewDecisionAnswer, ...], "The decisions, in their order. Forced actions are none."]
    start: Annotated[float, "What the hand was worth before the deal, in chips or points; of a round, all seats."]
    luck: Annotated[float, "What the cards brought."]
    cost: Annotated[float, "What the decisions cost."]
    payout: Annotated[float, "What was paid, less all that was staked; where nothing is staked, the score."]
    exact: Annotated[bool, "All values of decisions are exact."]
    method: Annotated[str, "Names of the ways in which they were computed."]
    seats: Annotated[tuple[ReviewSeatAnswer, ...] | Absent, "Only of a round: each seat."] = ABSENT

    @classmethod
    def of(cls, review: Mapping[str, Any]) -> "ReviewAnswer":
        """Return the answer about a stored review."""
        seats = tuple(
            ReviewSeatAnswer(
                seat=seat["seat"],
                start=seat["start"],
                luck=seat["luck"],
                cost=seat["cost"],
                payout=seat["payout"],
            )
            for seat in review["seats"]
        )
        return cls(
            decisions=tuple(ReviewDecisionAnswer.of(decision) for decision in review["decisions"]),
            start=review["start"],
            luck=review["luck"],
            cost=review["cost"],
            payout=review["payout"],
            exact=review["exact"],
            method=review["method"],
            seats=seats if len(seats) > 1 else ABSENT,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewPendingAnswer:
    """The review is being worked out: ask again in a second."""

    hand: Annotated[str, "Key of the hand or round."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "The same as a sentence."]
