"""What a player has made of today's daily deals and of yesterday's, for the lobby."""

from dataclasses import dataclass
from typing import Final

from flask import current_app
from sqlalchemy import bindparam, select

from webapp.extensions import db
from webapp.models import IS_DAILY, DailyDeal, Hand
from webapp.services.core.cache import Cache
from webapp.services.core.clock import DAY, MINUTE, now_ms
from webapp.services.core.days import day_of, today
from webapp.services.deals.daily import deal_key
from webapp.services.deals.daily_games import TABLES
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
