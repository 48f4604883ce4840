"""The daily deals of one day as a player sees them: what is to be played, own results, and those of all others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import func, select

from webapp.extensions import db
from webapp.models import FIRST, IS_DAILY, DailyDeal, Hand
from webapp.services.core.clock import closes_at, days_from, is_day, now_ms, starts_at, today
from webapp.services.core.errors import Refusal
from webapp.services.deals.crowd import LEAST
from webapp.services.deals.daily import AHEAD, TABLES, deal_key, tries

BARS: Final = 8
"""Bars of a distribution at most."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The number of results from ``least`` to ``most``.

    ``height``: relative to the highest bar. ``own``: the viewer's result is among them.
    """

    least: int
    most: int
    count: int
    height: float
    own: bool
    share: float = field(metadata={"deprecated": "the `height`; elsewhere a share is a part of the whole."})


@dataclass(frozen=True, slots=True)
class Distribution:
    """The results of all who finished a daily deal. ``below`` and ``equal`` are those beside your own."""

    count: int
    average: float
    bars: tuple[Bar, ...]
    below: int | None
    equal: int | None

    @property
    def place(self) -> int | None:
        """The viewer's place, from 1; those with the same share it. None for who is not among them."""
        return None if self.below is None or self.equal is None else self.count - self.below - self.equal


@dataclass(frozen=True, slots=True)
class DealOfDay:
    """A daily deal and a player's try at it.

    ``result`` is what all rounds won or lost, or the score; None until all are played. ``distribution``: of all
    results, for players who have played, and for everybody once the day is over; None if there are too few. ``hands``
    are the keys of rounds that are over. ``forfeited``: the try was not finished before the day was over. ``late``: the
    same of those who first played the cards after the day, which count nowhere else; ``late_result`` is the player's.
    """

    game: str
    table: str
    commitment: str
    seed: str | None
    rounds: int
    begun: int
    is_open: bool
    done: int
    forfeited: bool
    result: int | None
    hands: tuple[str, ...]
    distribution: Distribution | None
    late_result: int | None
    late: Distribution | None

    @property
    def played(self) -> bool:
        """True if the player has used the one try."""
        return self.result is not None or self.forfeited


@dataclass(frozen=True, slots=True)
class Day:
    """All deals of a day. ``is_today``: they can be begun. ``is_over``: they can no longer be played."""

    day: str
    is_today: bool
    is_over: bool
    deals: tuple[DealOfDay, ...]

    @property
    def is_untouched(self) -> bool:
        """True if the player has begun none of its deals."""
        return not any(deal.begun for deal in self.deals)


@dataclass(frozen=True, slots=True)
class Commitment:
    """Commitment to the deal of a day to come."""

    day: str
    game: str
    commitment: str


def day_for(player: str | None, day: str | None = None) -> Day:
    """Return a day as a player may see it. Refusal ``daily-unknown``: there was none, or it has not begun."""
    day = day or today()
    by_game = {deal.game: deal for deal in deals_of(day)}
    shown = (_deal(by_game[code], player) for code in TABLES if code in by_game)
    return Day(day, day == today(), now_ms() >= closes_at(day), tuple(shown))


def deals_of(day: str) -> Sequence[DailyDeal]:
    """Return the deals of a day. Refusal ``daily-unknown``: there are none, or the day has not begun."""
    if not is_day(day) or now_ms() < starts_at(day):
        raise Refusal("daily-unknown", day[:20])
    deals = db.session.scalars(select(DailyDeal).where(DailyDeal.day == day)).all()
    if not deals:
        raise Refusal("daily-unknown", day)
    return deals


def coming() -> tuple[Commitment, ...]:
    """Return the commitments of the days to come."""
    days = days_from(today(), AHEAD + 1)[1:]
    deals = db.session.scalars(select(DailyDeal).where(DailyDeal.day.in_(days)).order_by(DailyDeal.day)).all()
    return tuple(Commitment(deal.day, deal.game, deal.commitment) for deal in deals)


def days_played(player: str | None) -> int:
    """Return on how many days a player has played a daily deal."""
    if player is None:
        return 0
    keys = select(DailyDeal.day).join(Hand, Hand.daily_key == DailyDeal.key).where(Hand.player_id == player, IS_DAILY)
    return int(db.session.scalar(select(func.count()).select_from(keys.distinct().subquery())) or 0)


def _deal(deal: DailyDeal, player: str | None) -> DealOfDay:
    rounds, rows = TABLES[deal.game].rounds, tries(player, deal_key(deal.day, deal.game))
    over = now_ms() >= closes_at(deal.day)
    done = [row for row in rows if row.status == "done"]
    result = sum(row.net or 0 for row in done) if len(done) == rounds else None
    late = _late_results(deal, rounds) if over else {}
    late_result = late.get(player or "")
    return DealOfDay(
        game=deal.game,
        table=deal.variant,
        commitment=deal.commitment,
        seed=deal.revealed_seed,
        rounds=rounds,
        begun=len(rows),
        is_open=any(row.status == "live" for row in rows),
        done=len(done),
        forfeited=bool(rows) and over and result is None,
        result=result,
        hands=tuple(row.key for row in done),
        distribution=distribution(_results(deal, rounds), result) if result is not None or over else None,
        late_result=late_result,
        late=distribution(list(late.values()), late_result),
    )


def _results(deal: DailyDeal, rounds: int) -> list[int]:
    """Return the results of all who played all rounds."""
    nets = (
        select(func.sum(Hand.net))
        .where(Hand.daily_key == deal.key, IS_DAILY, Hand.status == "done")
        .group_by(Hand.player_id)
        .having(func.count() == rounds)
    )
    return [int(net or 0) for net in db.session.scalars(nets)]


def _late_results(deal: DailyDeal, rounds: int) -> Mapping[str, int]:
    """Return the results of all who played all rounds after the day, and saw no card of them before, by player."""
    nets = (
        select(Hand.player_id, func.sum(Hand.net))
        .where(Hand.daily_key == deal.key, Hand.kind == FIRST, Hand.status == "done")
        .group_by(Hand.player_id)
        .having(func.count() == rounds)
    )
    return {player: int(net or 0) for player, net in db.session.execute(nets)}


def distribution(results: Sequence[int], own: int | None) -> Distribution | None:
    """Return the distribution of results; None while there are fewer than five."""
    if len(results) < LEAST:
        return None
    return Distribution(
        count=len(results),
        average=sum(results) / len(results),
        bars=_bars(results, own),
        below=None if own is None else sum(each < own for each in results),
        equal=None if own is None else sum(each == own for each in results) - 1,
    )


def _bars(results: Sequence[int], own: int | None) -> tuple[Bar, ...]:
    """Return a bar for each result if there are few different ones, else bars of the same width."""
    counts = Counter(results)
    if len(counts) <= BARS:
        spans = [(result, result) for result in sorted(counts)]
    else:
        first, width = min(results), -(-(max(results) - min(results) + 1) // BARS)
        spans = [(first + width * place, first + width * (place + 1) - 1) for place in range(BARS)]
    found = [sum(count for result, count in counts.items() if least <= result <= most) for least, most in spans]
    highest = max(found)
    return tuple(
        Bar(least, most, count, count / highest, own is not None and least <= own <= most, count / highest)
        for (least, most), count in zip(spans, found, strict=True)
    )
