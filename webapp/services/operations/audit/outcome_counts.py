"""Outcomes counted from the hands and rounds themselves, beside the counters that are kept."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import case, func, select

from webapp.extensions import db
from webapp.models import IS_PUBLIC, Hand, LedgerEntry, OutcomeStatistics, PrunedCount, RoundSeat, TableRound
from webapp.services.purses import PAID

UNDEALT: Final = "-"
"""Outcome, among the counts of pruned hands, of those that were numbered and never dealt."""
_PAID = case((LedgerEntry.reason.in_(PAID), LedgerEntry.amount), else_=0)
_STAKED, _RETURNED = func.sum(_PAID - LedgerEntry.amount).label("staked"), func.sum(_PAID).label("returned")
_CHIPS = (
    select(LedgerEntry.hand_key.label("hand"), _STAKED, _RETURNED)
    .where(LedgerEntry.hand_key.is_not(None))
    .group_by(LedgerEntry.hand_key)
    .subquery()
)
_AT_TABLES = (
    select(LedgerEntry.round_key.label("round"), LedgerEntry.player_id.label("player"), _STAKED, _RETURNED)
    .where(LedgerEntry.round_key.is_not(None))
    .group_by(LedgerEntry.round_key, LedgerEntry.player_id)
    .subquery()
)
_OUTCOME = func.coalesce(Hand.outcome, "")
_SEAT_OUTCOME = func.coalesce(RoundSeat.outcome, "")
_COUNTED = (
    select(
        Hand.player_id,
        Hand.game,
        Hand.variant,
        _OUTCOME,
        func.count(),
        func.coalesce(func.sum(_CHIPS.c.staked), 0),
        func.coalesce(func.sum(_CHIPS.c.returned), 0),
    )
    .outerjoin(_CHIPS, _CHIPS.c.hand == Hand.key)
    .where(IS_PUBLIC)
    .group_by(Hand.player_id, Hand.game, Hand.variant, _OUTCOME)
    .union_all(
        select(
            RoundSeat.player_id,
            TableRound.game,
            TableRound.variant,
            _SEAT_OUTCOME,
            func.count(),
            func.coalesce(func.sum(_AT_TABLES.c.staked), 0),
            func.coalesce(func.sum(_AT_TABLES.c.returned), 0),
        )
        .join(TableRound, TableRound.key == RoundSeat.round_key)
        .outerjoin(
            _AT_TABLES,
            (_AT_TABLES.c.round == RoundSeat.round_key) & (_AT_TABLES.c.player == RoundSeat.player_id),
        )
        .where(RoundSeat.finished_at.is_not(None))
        .group_by(RoundSeat.player_id, TableRound.game, TableRound.variant, _SEAT_OUTCOME)
    )
)
"""Outcomes of all that is over, counted from the hands and rounds themselves, as ``OutcomeStatistics`` keeps them."""


def wrong_counters() -> Iterator[tuple[str, str]]:
    """Return players whose counters are not what their finished hands and rounds add up to, and how they differ."""
    kept = {
        (row.player_id, row.game, row.variant, row.outcome): (row.hands, row.staked, row.returned)
        for row in db.session.scalars(select(OutcomeStatistics))
    }
    sums = {tuple(key): (count, int(staked), int(back)) for *key, count, staked, back in db.session.execute(_COUNTED)}
    for gone in db.session.scalars(select(PrunedCount).where(PrunedCount.outcome != UNDEALT)):
        key = (gone.player_id, gone.game, gone.variant, gone.outcome)
        hands, staked, returned = sums.get(key, (0, 0, 0))
        sums[key] = (hands + gone.hands, staked + gone.staked, returned + gone.returned)
    for key in sorted(kept.keys() | sums.keys()):
        if kept.get(key) != sums.get(key):
            player, game, variant, outcome = key
            said, is_so = kept.get(key, (0, 0, 0)), sums.get(key, (0, 0, 0))
            yield player, f"counts {said} of {game}/{variant} {outcome}, the hands say {is_so}"
