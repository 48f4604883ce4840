"""Answers about circles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from flask import url_for

from webapp.services.circles import Member, OwnCircle, SeenCircle
from webapp.services.review.circle_days import CircleDay, CircleDeal, RoundBeside
from webapp.services.tables.lobby import ListedTable
from webapp.web.api.serialize import answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleMemberAnswer:
    """A member of a circle."""

    number: Annotated[int, "Number of the member, from 1; no number is given twice."]
    name: Annotated[str, "Name in this circle; empty if there is none."]
    keeper: Annotated[bool, "May rename and close the circle, and remove members."]


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberPlayedAnswer:
    """A member who has finished a daily deal."""

    member: Annotated[int, "Number of the member."]
    percent: Annotated[
        int | None, "Percentage of the attainable value that was kept; null until it is told, or while it is computed."
    ]
    beside: Annotated[str | None, "The try beside the viewer's own; null until it is told, and for the viewer."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleDealAnswer:
    """A daily deal of a circle."""

    game: Annotated[str, "Code of the game."]
    told: Annotated[bool, "The viewer has had a try. Before, only who has played is told."]
    played: Annotated[tuple[MemberPlayedAnswer, ...], "The members who have finished it, by their numbers."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleDayAnswer:
    """The daily deals of a day of a circle."""

    day: Annotated[str, "Day in UTC, `2026-11-22`."]
    games: Annotated[tuple[CircleDealAnswer, ...], "Its deals."]


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleAnswer:
    """A circle. Who is no member is told its name alone."""

    name: Annotated[str, "Name of the circle; empty if there is none."]
    url: Annotated[str, "Page of the circle, which is also the invitation."]
    you: Annotated[int | None, "Number of the viewer; null for who is no member."]
    members: Annotated[tuple[CircleMemberAnswer, ...], "The members, the one who came first before all others."]
    days: Annotated[tuple[CircleDayAnswer, ...], "Today and the seven days before, the latest first."]

    @classmethod
    def of(cls, seen: SeenCircle, days: Iterable[CircleDay]) -> "CircleAnswer":
        """Return the answer that describes a circle as its viewer may see it."""
        return cls(
            name=seen.name,
            url=url_for("circles.show", code=seen.code),
            you=seen.you,
            members=tuple(
                CircleMemberAnswer(number=each.number, name=each.name, keeper=each.number == seen.keeper)
                for each in seen.members
            ),
            days=tuple(
                CircleDayAnswer(day=each.day, games=tuple(_deal(seen, each.day, deal) for deal in each.deals))
                for each in days
            ),
        )


def _deal(seen: SeenCircle, day: str, deal: CircleDeal) -> CircleDealAnswer:
    def beside(number: int) -> str | None:
        if not deal.is_told or number == seen.you:
            return None
        return url_for("circles.compare", code=seen.code, day=day, game=deal.game, member=number)

    return CircleDealAnswer(
        game=deal.game,
        told=deal.is_told,
        played=tuple(
            MemberPlayedAnswer(member=each.number, percent=each.percent, beside=beside(each.number))
            for each in deal.played
        ),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnCircleAnswer:
    """A circle that the player is in."""

    name: Annotated[str, "Name of the circle; empty if there is none."]
    members: Annotated[int, "Number of its members."]
    url: Annotated[str, "Page of the circle."]


@dataclass(frozen=True, slots=True)
class CirclesAnswer:
    """The circles that the player is in."""

    circles: Annotated[tuple[OwnCircleAnswer, ...], "By their names."]

    @classmethod
    def of(cls, own: Iterable[OwnCircle]) -> "CirclesAnswer":
        """Return the list of these circles."""
        return cls(
            tuple(
                OwnCircleAnswer(name=each.name, members=each.members, url=url_for("circles.show", code=each.code))
                for each in own
            )
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CircleTableAnswer:
    """A shared table that was opened for a circle."""

    code: Annotated[str, "Code of the table."]
    people: Annotated[int, "Number of present players."]
    free: Annotated[int, "Number of free seats."]
    circle: Annotated[str, "Page of the circle."]
    url: Annotated[str, "Page of the table."]

    @classmethod
    def of(cls, table: ListedTable) -> "CircleTableAnswer":
        """Return the answer that describes a table of a circle."""
        circle = url_for("circles.show", code=table.circle)
        return answer_from(cls, table, circle=circle, url=url_for("tables.show", code=table.code))


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundBesideAnswer:
    """A round of a daily deal, played by a member and by the viewer."""

    round: Annotated[int, "Number of the round, from 1."]
    theirs: Annotated[str, "The member's round in one line of notation."]
    mine: Annotated[str | None, "The viewer's; null if it was not finished."]
    common: Annotated[int | None, "Number of moves that both share; null if they began with other cards."]


@dataclass(frozen=True, kw_only=True, slots=True)
class BesideAnswer:
    """A member's try at a daily deal beside the viewer's own."""

    day: Annotated[str, "Day in UTC."]
    game: Annotated[str, "Code of the game."]
    member: Annotated[int, "Number of the member."]
    rounds: Annotated[tuple[RoundBesideAnswer, ...], "The rounds."]

    @classmethod
    def of(cls, day: str, game: str, member: Member, rounds: Sequence[RoundBeside]) -> "BesideAnswer":
        """Return the answer that describes two tries."""
        return cls(day=day, game=game, member=member.number, rounds=tuple(map(_round, rounds)))


def _round(each: RoundBeside) -> RoundBesideAnswer:
    common = each.compared.common if each.compared else -1
    return RoundBesideAnswer(
        round=each.number,
        theirs=each.theirs.notation,
        mine=each.mine.notation if each.mine else None,
        common=common if common >= 0 else None,
    )
