"""Answer about the review of a finished hand: what every decision was worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from webapp.web.api.serialize import ABSENT, Absent


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewOptionAnswer:
    """A legal action and its value."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Mean gain in chips, assuming optimal play afterwards; in points if nothing is staked."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewDecisionAnswer:
    """A decision of a finished hand."""

    step: Annotated[int, "Number of actions before it, as in `step` of `/odds/<game>?hand=` and of the page."]
    place: Annotated[int, "Who decided: the place in stakes and payouts; 0 for a hand."]
    seat: int = field(metadata={"deprecated": "the `place`; a seat of a table has another number."})
    action: Annotated[str, "The chosen action."]
    value: Annotated[float, "Its value."]
    best: Annotated[str, "The best action; the chosen one if none was better."]
    best_value: Annotated[float, "Its value."]
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
            place=decision["seat"],
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
    """Ledger of a seat of a round: `start` + `luck` - `cost` = `payout`."""

    place: Annotated[int, "Place in stakes and payouts."]
    seat: int = field(metadata={"deprecated": "the `place`; a seat of a table has another number."})
    start: Annotated[float, "Value of the place before the deal."]
    luck: Annotated[float, "Contribution of the cards and of others' decisions."]
    cost: Annotated[float, "Cost of its decisions."]
    payout: Annotated[float, "Chips won or lost."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewAnswer:
    """The review of a hand: values of all decisions, and its ledger: `start` + `luck` - `cost` = `payout`."""

    decisions: Annotated[tuple[ReviewDecisionAnswer, ...], "The decisions in order, without forced actions."]
    start: Annotated[float, "Value of the hand before the deal, in chips or points; for a round, of all seats."]
    luck: Annotated[float, "Contribution of the cards."]
    cost: Annotated[float, "Cost of the decisions."]
    payout: Annotated[float, "Payout minus everything staked; the score if nothing is staked."]
    exact: Annotated[bool, "Whether all values are exact."]
    method: Annotated[str, "Names of the methods of computation."]
    seats: Annotated[tuple[ReviewSeatAnswer, ...] | Absent, "Only for rounds: the ledger of each seat."] = ABSENT

    @classmethod
    def of(cls, review: Mapping[str, Any]) -> "ReviewAnswer":
        """Return the answer about a stored review."""
        seats = tuple(
            ReviewSeatAnswer(
                place=seat["seat"],
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
    """The review is being computed: repeat the request in a second."""

    hand: Annotated[str, "Key of the hand or round."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "A sentence that says so."]
