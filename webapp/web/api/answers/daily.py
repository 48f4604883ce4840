"""Answers about daily deals."""

from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.services.deals.day_view import Commitment, Day, DealOfDay, Distribution
from webapp.web.api.serialize import answer_from


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
    url: Annotated[str, "Where it is played: by `POST`."]

    @classmethod
    def of(cls, deal: DealOfDay) -> "DailyDealAnswer":
        """Return the answer that describes a deal."""
        return answer_from(cls, deal, url=url_for("daily.sit", code=deal.game))


@dataclass(frozen=True, slots=True)
class CommitmentAnswer:
    """What is fixed of a day to come."""

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
    def of(cls, day: Day, coming: tuple[Commitment, ...], days_played: int) -> "DailyAnswer":
        """Return the answer that describes a day."""
        return cls(
            day=day.day,
            games=tuple(map(DailyDealAnswer.of, day.deals)),
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
    def of(cls, day: Day) -> "DayAnswer":
        """Return the answer that describes a day."""
        return cls(day=day.day, over=day.is_over, games=tuple(map(DailyDealAnswer.of, day.deals)))
