"""A month of daily deals as a player has played them: on their days, or late."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select

from webapp.extensions import db
from webapp.models import DAILY, DailyDeal, Hand
from webapp.services.core.days import day_before, days_from, is_day, today
from webapp.services.deals.daily_games import TABLES
from webapp.services.review.quality import Quality, stored_qualities

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
