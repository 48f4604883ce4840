"""What the members of a circle have made of the daily deals: of today's and of those of the seven days before.

Before one's own try at a deal nothing is told but that others have played it. That is so for past days, too, which can
be played late.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, select

from webapp.extensions import db
from webapp.models import DAILY, IS_DAILY, DailyDeal, Hand
from webapp.services.circles import Member, SeenCircle
from webapp.services.core.clock import DAY, closes_at, day_of, days_from, is_day, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.deals.crowd import SideBySide, beside
from webapp.services.deals.daily import TABLES, deal_key
from webapp.services.records.finished import Finished
from webapp.services.records.lookup import finished_hand
from webapp.services.review.quality import stored_qualities

DAYS: Final = 8
"""Today, and the last seven days."""
_ROUNDS: Final = (
    select(Hand.daily_key, Hand.player_id, Hand.number, Hand.key)
    .where(Hand.player_id.in_(bindparam("players", expanding=True)), IS_DAILY, Hand.status == "done")
    .where(Hand.daily_key.in_(bindparam("deals", expanding=True)))
)
_OWN: Final = (
    select(Hand.daily_key, Hand.kind, Hand.number, Hand.key, Hand.status)
    .where(Hand.player_id == bindparam("player"), Hand.daily_key.in_(bindparam("deals", expanding=True)))
    .order_by(Hand.created_at.desc())
)
_KNOWN: Final = (
    select(DailyDeal.day, DailyDeal.key)
    .where(DailyDeal.key.in_(bindparam("deals", expanding=True)))
    .order_by(DailyDeal.day.desc())
)


@dataclass(frozen=True, slots=True)
class MemberPlayed:
    """A member who has finished a deal. ``percent``: of the value kept; None if that is not told, or not known yet."""

    number: int
    percent: int | None


@dataclass(frozen=True, slots=True)
class CircleDeal:
    """A daily deal of a circle. ``is_told``: the viewer has had a try, and so sees what others made of it."""

    game: str
    is_told: bool
    played: tuple[MemberPlayed, ...]

    @property
    def by_member(self) -> Mapping[int, MemberPlayed]:
        """Those who have finished it, by their numbers."""
        return {each.number: each for each in self.played}


@dataclass(frozen=True, slots=True)
class CircleDay:
    """The deals of a day."""

    day: str
    deals: tuple[CircleDeal, ...]

    @property
    def people(self) -> frozenset[int]:
        """Numbers of the members who have finished a deal of the day."""
        return frozenset(each.number for deal in self.deals for each in deal.played)


@dataclass(frozen=True, slots=True)
class RoundBeside:
    """A round of a member beside the viewer's own. ``mine`` is None if the viewer has not played it to its end."""

    number: int
    theirs: Finished
    mine: Finished | None
    compared: SideBySide | None


@dataclass(frozen=True, slots=True)
class _Own:
    """The viewer's tries at a deal: keys of finished rounds by number, in time and late; and whether one was begun."""

    in_time: Mapping[int, str]
    late: Mapping[int, str]
    is_begun: bool

    def has_had_try(self, day: str, game: str) -> bool:
        """Return True if the viewer has no try at the deal left, or has played it late."""
        rounds = TABLES[game].rounds
        return max(len(self.in_time), len(self.late)) == rounds or (self.is_begun and now_ms() >= closes_at(day))


_NOTHING: Final = _Own({}, {}, is_begun=False)


def days_of(circle: SeenCircle) -> tuple[CircleDay, ...]:
    """Return the days of a circle as its viewer, a member, may see them; the latest first."""
    viewer = next((member for member in circle.members if member.number == circle.you), None)
    if viewer is None:
        return ()
    now = now_ms()
    deals = [deal_key(day, code) for day in days_from(day_of(now - (DAYS - 1) * DAY), DAYS) for code in TABLES]
    known = {key: day for day, key in db.session.execute(_KNOWN, {"deals": deals})}
    own = _own_tries(viewer.player, deals)
    numbers = {member.player: member.number for member in circle.members}
    rounds: dict[str, dict[int, dict[int, str]]] = {}
    found: Iterable[Any] = db.session.execute(_ROUNDS, {"players": list(numbers), "deals": deals})
    for deal, player, number, key in found:
        rounds.setdefault(deal, {}).setdefault(numbers[player], {})[number] = key

    def deal_of(day: str, game: str) -> CircleDeal:
        deal = deal_key(day, game)
        return _deal(game, rounds.get(deal, {}), own.get(deal, _NOTHING).has_had_try(day, game))

    return tuple(
        CircleDay(day, tuple(deal_of(day, code) for code in TABLES if deal_key(day, code) in known))
        for day in dict.fromkeys(known.values())
    )


def _deal(game: str, rounds: Mapping[int, Mapping[int, str]], is_told: bool) -> CircleDeal:
    """Return a deal. ``rounds``: keys of the finished rounds of members, by number."""
    finished = {number: keys for number, keys in rounds.items() if len(keys) == TABLES[game].rounds}
    numbers = sorted(finished)
    kept = stored_qualities([list(finished[number].values()) for number in numbers]) if is_told and numbers else []
    percents = [quality.percent if quality else None for quality in kept] or [None] * len(numbers)
    return CircleDeal(game, is_told, tuple(map(MemberPlayed, numbers, percents)))


def _own_tries(player: str, deals: Sequence[str]) -> Mapping[str, _Own]:
    in_time: dict[str, dict[int, str]] = {}
    late: dict[str, dict[int, str]] = {}
    begun: set[str] = set()
    found: Iterable[Any] = db.session.execute(_OWN, {"player": player, "deals": deals})
    for deal, kind, number, key, status in found:
        if kind == DAILY:
            begun.add(deal)
        if status == "done":  # of several late tries the first: it is the last to come here
            (in_time if kind == DAILY else late).setdefault(deal, {})[number] = key
    return {deal: _Own(in_time.get(deal, {}), late.get(deal, {}), deal in begun) for deal in {*in_time, *late, *begun}}


def side_by_side(circle: SeenCircle, day: str, game: str, number: int) -> tuple[Member, tuple[RoundBeside, ...]]:
    """Return a member, and the rounds of that member's try at a deal beside the viewer's own.

    Raises:
        Refusal: ``unknown-game``; ``play-first``: the viewer has not had a try at the deal; ``hand-not-found``: there
            is no such member or deal, or the member has not finished it.
    """
    if game not in TABLES:
        raise Refusal("unknown-game", game)
    viewer = next((member for member in circle.members if member.number == circle.you), None)
    member = next((member for member in circle.members if member.number == number), None)
    if viewer is None or member is None or not is_day(day):
        raise Refusal("hand-not-found")
    deal = deal_key(day, game)
    own = _own_tries(viewer.player, [deal]).get(deal, _NOTHING)
    if not own.has_had_try(day, game):
        raise Refusal("play-first")
    rows = db.session.execute(_ROUNDS, {"players": [member.player], "deals": [deal]}).all()
    if len(rows) != TABLES[game].rounds:
        raise Refusal("hand-not-found")
    rounds = []
    for row in sorted(rows, key=lambda row: row.number):
        theirs = finished_hand(row.key, member.player)
        key = own.in_time.get(row.number) or own.late.get(row.number)
        mine = finished_hand(key, viewer.player) if key else None
        rounds.append(RoundBeside(row.number, theirs, mine, beside(mine, theirs) if mine else None))
    return member, tuple(rounds)
