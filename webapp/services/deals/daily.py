"""Daily deals: committed to a week ahead, played once by each player, revealed when the day is over.

The seed is the site's own, sealed like every other; nobody cuts, so that the cards are the same for everybody. The key
of a deal is its day and game: there is one of each, and its commitment is public days before anybody plays it.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from webapp.engine.games import SOLO
from webapp.engine.shuffling import SILENT, commitment
from webapp.engine.spec import Daily
from webapp.extensions import db
from webapp.models import DAILY, IS_DAILY, DailyDeal, Hand
from webapp.models.daily_deal import NOBODY
from webapp.services import players
from webapp.services.core.clock import (
    DAY,
    GRACE,
    closes_at,
    day_of,
    days_from,
    now_ms,
    starts_at,
    today,
    was_set_forward,
)
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_seed
from webapp.services.fairness.sealing import sealer, unseal_seed
from webapp.services.records.stored_hand import hand_game, join_numbers
from webapp.services.solo.move_requests import is_late
from webapp.services.solo.play import deal_same
from webapp.services.solo.reading import board, state_of
from webapp.services.solo.sit import Seated

AHEAD: Final = 7
"""Days for which commitments are public beyond today."""

_INSERT: Final = {
    dialect: insert(DailyDeal.metadata.tables["daily_deal"]).on_conflict_do_nothing()
    for dialect, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
_TRIES: Final = (
    select(Hand)
    .where(Hand.player_id == bindparam("player"), Hand.daily_key == bindparam("deal"), IS_DAILY)
    .order_by(Hand.number)
)


def deal_key(day: str, code: str) -> str:
    """Return the key of a day's deal of a game."""
    return f"{day}-{code}"


def update_deals() -> bool:
    """Commit to the deals of the coming days, and reveal those of past days. Return True if anything was due.

    The timer of the site does so; a day on which there was no site has no deals.
    """
    if not _are_due():
        return False
    with writing():
        _publish()
        _open_past()
    return True


def _are_due() -> bool:
    days = days_from(today(), AHEAD + 1)
    published = db.session.scalar(select(func.count()).select_from(DailyDeal).where(DailyDeal.day.in_(days))) or 0
    return published < len(days) * len(TABLES) or bool(_past())


def _past() -> Sequence[str]:
    """Return the keys of deals whose day is over and whose seed is still sealed.

    Return none for a while after the clock was set forward: that may be corrected, but a seed that was revealed cannot
    be sealed again.
    """
    if was_set_forward():
        return ()
    day = day_of(now_ms() - DAY - GRACE)
    return db.session.scalars(
        select(DailyDeal.key).where(DailyDeal.revealed_seed.is_(None), DailyDeal.day <= day)
    ).all()


def _publish() -> None:
    days = days_from(today(), AHEAD + 1)
    known = set(db.session.scalars(select(DailyDeal.key).where(DailyDeal.day.in_(days))))
    for day in days:
        for code, table in TABLES.items():
            key, seed = deal_key(day, code), new_seed()
            if key in known:
                continue
            row = {
                "key": key,
                "day": day,
                "game": code,
                "variant": table.variant,
                "commitment": commitment(seed, key),
                "sealed_seed": sealer().seal(key, NOBODY, seed),
                "published_at": now_ms(),
            }
            # another process may have committed to it meanwhile: the first commitment stands
            db.session.execute(_INSERT[db.engine.dialect.name], row)


def _open_past() -> None:
    """Reveal the seeds of days that are over. A round that was left open is forfeited: it was the day's one try."""
    now = now_ms()
    past = select(DailyDeal).where(DailyDeal.key.in_(_past()), DailyDeal.revealed_seed.is_(None))
    for deal in db.session.scalars(past.with_for_update()).all():
        with suppress(Refusal):  # no key opens it just now
            seed = unseal_seed(deal.sealed_seed, deal)
            deal.revealed_seed, deal.sealed_seed = seed.hex(), None
            left = update(Hand).where(Hand.daily_key == deal.key, Hand.status == "live", IS_DAILY)
            db.session.execute(
                left.values(status="forfeited", finished_at=now),
                execution_options={"synchronize_session": False},
            )


def sit(player: str, code: str, day: str | None = None) -> Seated:
    """Return the open round of a daily deal, or deal the next one.

    Args:
        day: That of a try that was begun before midnight; today without it.

    Raises:
        Refusal: ``unknown-game``; ``daily-unknown``: there is no such deal, or not yet; ``daily-over``: its day
            is over; ``daily-played``: the player has had the one try.
    """
    require_game(code)
    update_deals()
    try:
        with writing():
            return _seated(player, code, day or today())
    except IntegrityError:  # another request of the same player was first
        with writing():
            return _seated(player, code, day or today())


def require_game(code: str) -> None:
    """Refuse a game that has no daily deal.

    Raises:
        Refusal: ``unknown-game``.
    """
    if code not in TABLES:
        raise Refusal("unknown-game", code)


def _seated(player: str, code: str, day: str) -> Seated:
    players.lock(player)
    deal, now = db.session.get(DailyDeal, deal_key(day, code)), now_ms()
    if deal is None or now < starts_at(day):
        raise Refusal("daily-unknown", day[:20])
    played = tries(player, deal.key)
    if played and played[-1].status == "live" and not is_late(played[-1]):
        return Seated(board(played[-1], {}), is_new=False)
    if len(played) >= TABLES[code].rounds:
        raise Refusal("daily-played", day)
    is_over = deal.revealed_seed is not None or now >= closes_at(day)
    if is_over or (not played and day != day_of(now)):
        raise Refusal("daily-over", day)
    return Seated(deal_same(round_of(deal, player, played[-1] if played else None)), is_new=True)


def round_of(deal: DailyDeal, player: str, before: Hand | None) -> Hand:
    """Return a round of a daily deal, not stored yet: the first, or that after another one of the player."""
    end = before.offset + hand_game(before).dealt(state_of(before, {})[1])[0] if before else 0
    return Hand(
        player_id=player,
        kind=DAILY,
        daily_key=deal.key,
        number=1 + (before.number or 0) if before else 1,
        game=deal.game,
        variant=deal.variant,
        commitment=deal.commitment,
        offset=end,
        cut=SILENT,
        stakes=join_numbers(TABLES[deal.game].stakes),
    )


def tries(player: str | None, key: str) -> list[Hand]:
    """Return the rounds that a player has begun of a daily deal."""
    return list(db.session.scalars(_TRIES, {"player": player, "deal": key})) if player else []


TABLES: Final[Mapping[str, Daily]] = {code: game.spec.daily for code, game in SOLO.items() if game.spec.daily}
"""The daily deal of each game that has one, by its code."""
