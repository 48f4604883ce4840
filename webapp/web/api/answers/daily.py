"""Answers about daily deals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.services.deals.day_view import Commitment, Day, DealOfDay, Distribution
from webapp.services.review.quality import Qualities, Quality
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, slots=True)
class QualityAnswer:
    """How well a deal was played."""

    decisions: Annotated[int, "Decisions that the player has made, fair bets left out."]
    best: Annotated[int, "Those of which none was better."]
    cost: Annotated[float, "What all of them cost, in chips or points."]
    percent: Annotated[int, "How much of what could be had was kept, in hundredths: 100 if nothing was given away."]

    @classmethod
    def of(cls, quality: Quality) -> "QualityAnswer":
        """Return the answer that describes a quality."""
        return cls(len(quality.costs), quality.best, quality.cost, quality.percent)


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyDealAnswer:
    """A daily deal, and the player's try at it."""

    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table."]
    commitment: Annotated[str, "SHA-256 of the seed and the id `<day>-<game>`, in hex, public days before."]
    seed: Annotated[str | None, "The seed, in hex, an hour after the day is over."]
    rounds: Annotated[int, "Rounds that are dealt from it."]
    done: Annotated[int, "Rounds that the player has finished."]
    played: Annotated[bool, "The player has had the one try."]
    result: Annotated[int | None, "What all rounds have won or lost, or the score; null until all are played."]
    distribution: Annotated[
        Distribution | None, "The results of all, for who has played, or when the day is over; null below five."
    ]
    quality: Annotated[QualityAnswer | None, "How well the player has played it; null until all rounds are reviewed."]
    qualities: Annotated[
        Distribution | None, "How well all have played it, in hundredths that were kept; told as `distribution` is."
    ]
    url: Annotated[str, "Where it is played: by `POST`."]

    @classmethod
    def of(cls, deal: DealOfDay, found: Qualities) -> "DailyDealAnswer":
        """Return the answer that describes a deal."""
        own = QualityAnswer.of(found.own) if found.own else None
        url = url_for("daily.sit", code=deal.game)
        return answer_from(cls, deal, quality=own, qualities=found.all, url=url)


@dataclass(frozen=True, slots=True)
class CommitmentAnswer:
    """Commitment to the deal of a day to come."""

    day: Annotated[str, "Day in UTC."]
    game: Annotated[str, "Code of the game."]
    commitment: Annotated[str, "SHA-256 of the seed and the id `<day>-<game>`, in hex."]


@dataclass(frozen=True, kw_only=True, slots=True)
class DailyAnswer:
    """Today's deals."""

    day: Annotated[str, "Today in UTC, `2026-11-22`."]
    games: Annotated[tuple[DailyDealAnswer, ...], "The deals of today."]
    coming: Annotated[tuple[CommitmentAnswer, ...], "Commitments of the days to come."]
    days_played: Annotated[int, "Days on which the player has played."]

    @classmethod
    def of(
        cls, day: Day, coming: tuple[Commitment, ...], days_played: int, qualities: Mapping[str, Qualities]
    ) -> "DailyAnswer":
        """Return the answer that describes a day."""
        return cls(
            day=day.day,
            games=tuple(DailyDealAnswer.of(deal, qualities[deal.game]) for deal in day.deals),
            coming=tuple(CommitmentAnswer(each.day, each.game, each.commitment) for each in coming),
            days_played=days_played,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DayAnswer:
    """The deals of a day."""

    day: Annotated[str, "Day in UTC, `2026-11-22`."]
    over: Annotated[bool, "Nobody plays them any more, and their seeds are open."]
    games: Annotated[tuple[DailyDealAnswer, ...], "The deals."]

    @classmethod
    def of(cls, day: Day, qualities: Mapping[str, Qualities]) -> "DayAnswer":
        """Return the answer that describes a day."""
        games = tuple(DailyDealAnswer.of(deal, qualities[deal.game]) for deal in day.deals)
        return cls(day=day.day, over=day.is_over, games=games)
