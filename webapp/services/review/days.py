"""What a player has made of the daily deals: of today's and yesterday's, and of a month."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from flask import current_app
from sqlalchemy import bindparam, func, select

from webapp.extensions import db
from webapp.models import DAILY, IS_DAILY, DailyDeal, Hand
from webapp.services.core.cache import Cache
from webapp.services.core.clock import DAY, MINUTE, day_before, day_of, days_from, is_day, now_ms, today
from webapp.services.deals.daily import TABLES, deal_key
from webapp.services.deals.day_view import Distribution, day_for
from webapp.services.review.quality import Quality, qualities_of, stored_qualities

_KEPT_FOR: Final = 10 * MINUTE
"""Milliseconds for which the places of yesterday are remembered: reviews arrive for a while after its end."""
_TRIES: Final = (
    select(Hand.key, Hand.daily_key, Hand.status)
    .where(Hand.player_id == bindparam("player"), IS_DAILY)
    .where(Hand.daily_key.in_(bindparam("deals", expanding=True)))
    .order_by(Hand.daily_key, Hand.number)
)
_OPENED: Final = select(DailyDeal.key).where(DailyDeal.day == bindparam("day"), DailyDeal.revealed_seed.is_not(None))


@dataclass(frozen=True, slots=True)
class Place:
    """A place among ``count`` players, from 1."""

    place: int
    count: int


@dataclass(frozen=True, slots=True)
class Places:
    """A player's places at a daily deal, None where too few have played it. ``decisions``: by what these have kept."""

    game: str
    decisions: Place | None
    result: Place | None


@dataclass(frozen=True, slots=True)
class DaySummary:
    """What a player has made of today's deals, and where yesterday's have put them.

    ``finished``: how well each finished deal was played, None where that is still worked out. ``yesterday``: the day
    before if the player has played a deal of it; ``is_open``: its cards are no secret any more.
    """

    deals: int = len(TABLES)
    begun: bool = False
    finished: tuple[Quality | None, ...] = ()
    yesterday: str | None = None
    is_open: bool = False
    places: tuple[Places, ...] = ()

    @property
    def left(self) -> int:
        """Deals of today that are still to be played."""
        return self.deals - len(self.finished)

    @property
    def percent(self) -> int | None:
        """What the decisions of today have kept on average, which is 100 only if nothing was given away."""
        known = [quality.percent for quality in self.finished if quality]
        return sum(known) // len(known) if known else None


class DayPlaces(Cache[tuple[str, str, int], tuple[Places, ...]]):
    """Places of players on a day, remembered for a while: they take a dozen queries."""


def summary_for(player: str | None) -> DaySummary:
    """Return what a player has made of today's deals and of yesterday's; that of a stranger without any query."""
    if player is None:
        return DaySummary()
    now, before = today(), day_of(now_ms() - DAY)
    rounds: dict[str, list[tuple[str, str]]] = {}
    keys = [deal_key(day, code) for day in (now, before) for code in TABLES]
    for key, deal, status in db.session.execute(_TRIES, {"player": player, "deals": keys}):
        rounds.setdefault(str(deal), []).append((key, status))
    of_today = {code: rounds[deal_key(now, code)] for code in TABLES if deal_key(now, code) in rounds}
    was_there = any(deal_key(before, code) in rounds for code in TABLES)
    return DaySummary(
        begun=bool(of_today),
        finished=tuple(
            stored_qualities(
                [
                    [key for key, _ in tries]
                    for code, tries in of_today.items()
                    if [status for _, status in tries] == ["done"] * TABLES[code].rounds
                ]
            )
        ),
        yesterday=before if was_there else None,
        is_open=bool(db.session.scalars(_OPENED, {"day": before}).first()) if rounds else False,
        places=_places(player, before) if was_there else (),
    )


def _places(player: str, day: str) -> tuple[Places, ...]:
    """Return the places of a player at the deals of a day, without those at which too few have played."""
    places: DayPlaces = current_app.extensions["day_places"]
    return places.get((player, day, now_ms() // _KEPT_FOR), lambda: _ranked(player, day))


def _ranked(player: str, day: str) -> tuple[Places, ...]:
    seen = day_for(player, day)
    found = qualities_of(seen)
    ranked = (Places(deal.game, _place(found[deal.game].all), _place(deal.distribution)) for deal in seen.deals)
    return tuple(each for each in ranked if each.decisions or each.result)


def _place(among: Distribution | None) -> Place | None:
    return None if among is None or among.place is None else Place(among.place, among.count)


_DAYS = select(DailyDeal.day).where(DailyDeal.day.between(bindparam("first"), bindparam("last"))).distinct()
_ROUNDS = (
    select(DailyDeal.day, DailyDeal.game, Hand.kind, Hand.number, Hand.key)
    .join(Hand, Hand.daily_key == DailyDeal.key)
    .where(Hand.player_id == bindparam("player"), Hand.status == "done")
    .where(DailyDeal.day.between(bindparam("first"), bindparam("last")))
    .order_by(Hand.number)
)

Rounds = Mapping[tuple[str, bool], Mapping[int | None, str]]
"""Keys of finished rounds by game, whether they were played on the day, and number."""


@dataclass(frozen=True, slots=True)
class DayOfMonth:
    """A day with deals, or without.

    ``played``: deals that were finished on the day. ``late``: others, of which all rounds were played for practice.
    ``percent``: what the decisions of the day have kept, None while a review is missing.
    """

    day: str
    has_deals: bool
    played: int = 0
    late: int = 0
    percent: int | None = None


@dataclass(frozen=True, slots=True)
class Month:
    """The days of a month. ``before`` and ``after``: months beside it that have deals."""

    month: str
    days: tuple[DayOfMonth, ...]
    before: str | None
    after: str | None

    @property
    def days_played(self) -> int:
        """Number of days on which a deal was finished."""
        return sum(day.played > 0 for day in self.days)


def month_of(player: str | None, month: str = "") -> Month:
    """Return a month up to today, by default the present one. ``month``: as in ``2026-11``."""
    now = today()
    wanted, latest = f"{month}-01", f"{now[:7]}-01"
    first = min(wanted, latest) if is_day(wanted) else latest
    days = [day for day in days_from(first, 31) if day[:7] == first[:7]]
    span = {"first": first, "last": min(days[-1], now)}
    known = set(db.session.scalars(_DAYS, span))
    rounds: dict[str, dict[tuple[str, bool], dict[int | None, str]]] = {}
    if player is not None:
        for day, game, kind, number, key in db.session.execute(_ROUNDS, {"player": player, **span}):
            rounds.setdefault(day, {}).setdefault((game, kind == DAILY), {})[number] = key
    played = {day: [of_day[game, True] for game in _finished(of_day, in_time=True)] for day, of_day in rounds.items()}
    found = iter(stored_qualities([list(keys.values()) for tries in played.values() for keys in tries]))
    percents = {day: _percent([next(found) for _ in tries]) for day, tries in played.items()}
    oldest, following = db.session.scalar(select(func.min(DailyDeal.day))), days_from(days[-1], 2)[1]
    return Month(
        month=first[:7],
        days=tuple(
            DayOfMonth(
                day,
                has_deals=day in known,
                played=len(played.get(day, ())),
                late=len(_finished(rounds.get(day, {}), in_time=False)),
                percent=percents.get(day),
            )
            for day in days
        ),
        before=day_before(first)[:7] if oldest and oldest < first else None,
        after=following[:7] if following <= now else None,
    )


def _finished(rounds: Rounds, in_time: bool) -> list[str]:
    """Return the games of which all rounds were played on the day, or only late."""
    of_day = [code for code, game in TABLES.items() if len(rounds.get((code, True), ())) == game.rounds]
    if in_time:
        return of_day
    late = (code for code, game in TABLES.items() if len(rounds.get((code, False), ())) == game.rounds)
    return [code for code in late if code not in of_day]


def _percent(qualities: list[Quality | None]) -> int | None:
    known = [quality.percent for quality in qualities if quality]
    return sum(known) // len(known) if known else None
