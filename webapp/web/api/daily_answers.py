"""Answers about daily deals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.services.core.clock import DAY, starts_at
from webapp.services.deals.day_view import Commitment, Day, DealOfDay, Distribution
from webapp.services.review.days import DayOfMonth, Month
from webapp.services.review.quality import Qualities, Quality
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """How well a deal was played."""

    decisions: Annotated[int, "Number of decisions, without fair bets."]
    best: Annotated[int, "Number of decisions with the best action."]
    cost: Annotated[float, "Total cost of the decisions, in chips or points."]
    percent: Annotated[int, "Percentage of the attainable value that was kept; 100 without mistakes."]

    @classmethod
    def of(cls, quality: Quality) -> "QualityAnswer":
        """Return the answer that describes a quality."""
        return cls(len(quality.costs), quality.best, quality.cost, quality.percent)


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyDealAnswer:
    """A daily deal, and the player's try at it."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table."]
    commitment: Annotated[str, "SHA-256 of the seed and the id `<day>-<game>`, in hex, published days before."]
    seed: Annotated[str | None, "The seed, in hex; null until an hour after the end of the day."]
    rounds: Annotated[int, "Number of rounds."]
    done: Annotated[int, "Number of rounds that the player has finished."]
    played: Annotated[bool, "The player has used the only try."]
    result: Annotated[int | None, "Chips won or lost in all rounds, or the score; null until all are played."]
    distribution: Annotated[
        Distribution | None,
        "Results of all players, once the player has played or the day is over; null for fewer than five.",
    ]
    late_result: Annotated[int | None, "As `result`, of a player who first played the cards after their day."]
    late: Annotated[
        Distribution | None, "Results of all who did, who count nowhere else; null for fewer than five, and today."
    ]
    quality: Annotated[QualityAnswer | None, "How well the player has played; null until all rounds are reviewed."]
    qualities: Annotated[
        Distribution | None, "How well all players have played, in per cent; null like `distribution`."
    ]
    url: Annotated[str, "Where to start it, by `POST`."]
    practice: Annotated[str | None, "Where to play its cards for practice, by `POST`; null while the seed is."]

    @classmethod
    def of(cls, day: Day, deal: DealOfDay, found: Qualities) -> "DailyDealAnswer":
        """Return the answer that describes a deal of a day."""
        return answer_from(
            cls,
            deal,
            quality=QualityAnswer.of(found.own) if found.own else None,
            qualities=found.all,
            url=url_for("daily.sit", code=deal.game),
            practice=url_for("daily.practise", day=day.day, code=deal.game) if deal.seed else None,
        )


@dataclass(frozen=True, slots=True)
class CommitmentAnswer:
    """Commitment to the deal of a later day."""

    day: Annotated[str, "Day in UTC."]
    game: Annotated[str, "Code of the game."]
    commitment: Annotated[str, "SHA-256 of the seed and the id `<day>-<game>`, in hex."]


@dataclass(frozen=True, kw_only=True, slots=True)
class MonthAnswer:
    """A month of a player's tries at the daily deals."""

    month: Annotated[str, "The month in UTC, `2026-11`."]
    days: Annotated[tuple[DayOfMonth, ...], "Its days."]
    days_played: Annotated[int, "Days of the month on which the player has finished a deal."]


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyAnswer:
    """Today's deals."""

    day: Annotated[str, "Today in UTC, `2026-11-22`."]
    games: Annotated[tuple[DailyDealAnswer, ...], "Today's deals."]
    coming: Annotated[tuple[CommitmentAnswer, ...], "Commitments to the deals of later days."]
    days_played: Annotated[int, "Days on which the player has played."]
    next: Annotated[int, "Unix milliseconds at which the next deals come."]
    month: Annotated[MonthAnswer, "A month of the player's tries; by default the present one."]

    @classmethod
    def of(
        cls,
        day: Day,
        coming: tuple[Commitment, ...],
        days_played: int,
        qualities: Mapping[str, Qualities],
        month: Month,
    ) -> "DailyAnswer":
        """Return the answer that describes a day."""
        return cls(
            day=day.day,
            games=tuple(DailyDealAnswer.of(day, deal, qualities[deal.game]) for deal in day.deals),
            coming=tuple(CommitmentAnswer(each.day, each.game, each.commitment) for each in coming),
            days_played=days_played,
            next=starts_at(day.day) + DAY,
            month=answer_from(MonthAnswer, month),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DayAnswer:
    """The deals of a day."""

    day: Annotated[str, "Day in UTC, `2026-11-22`."]
    over: Annotated[bool, "The day is over, and the seeds are revealed."]
    games: Annotated[tuple[DailyDealAnswer, ...], "The deals."]

    @classmethod
    def of(cls, day: Day, qualities: Mapping[str, Qualities]) -> "DayAnswer":
        """Return the answer that describes a day."""
        games = tuple(DailyDealAnswer.of(day, deal, qualities[deal.game]) for deal in day.deals)
        return cls(day=day.day, over=day.is_over, games=games)
