"""Ledger entries and counters of hands that are pruned: what they add up to is carried forward.

An entry of a pruned hand keeps its amount and the balance after it, and loses the hand: so a ledger adds up at every
moment. Neighbours among such entries then become one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, delete, func, select, update

from webapp.extensions import db
from webapp.models import LedgerEntry, PrunedCount
from webapp.services.core.transaction import one_at_a_time, writing
from webapp.services.purses import PAID

CARRIED: Final = "carried"
"""Reason of an entry that stands for pruned ones."""
UNDEALT: Final = "-"
"""Outcome of hands that were numbered and never dealt."""

Purse = tuple[str, str]
"""Player and game."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A finished hand, or a seat in a round, before it is pruned. ``chips``: its entries as reason and amount."""

    player: str
    game: str
    variant: str
    outcome: str
    chips: Sequence[tuple[str, int]]


def count(gone: Iterable[Gone]) -> None:
    """Count what is about to be pruned, within the caller's transaction."""
    sums: defaultdict[tuple[str, str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in gone:
        returned = sum(amount for reason, amount in each.chips if reason in PAID)
        staked = -sum(amount for reason, amount in each.chips if reason not in PAID)
        best = max((amount for reason, amount in each.chips if reason == "payout"), default=0)
        row = sums[each.player, each.game, each.variant, each.outcome]
        row[:] = row[0] + 1, row[1] + staked, row[2] + returned, max(row[3], best)
    for key, (hands, staked, returned, best) in sums.items():
        known = db.session.get(PrunedCount, key)
        if known is None:
            known = PrunedCount(hands=0, staked=0, returned=0, best=0)
            known.player_id, known.game, known.variant, known.outcome = key
            db.session.add(known)
        known.hands, known.staked = known.hands + hands, known.staked + staked
        known.returned, known.best = known.returned + returned, max(known.best, best)
    db.session.flush()


def carry(of: ColumnElement[bool]) -> None:
    """Detach the entries with this condition from their hands and rounds, inside the caller's transaction."""
    carried = update(LedgerEntry).where(of).values(reason=CARRIED, hand_key=None, round_key=None)
    db.session.execute(carried.execution_options(synchronize_session=False))


def merge_all() -> None:
    """Merge carried entries that follow each other in their purse, a purse at a time."""
    several = (
        select(LedgerEntry.player_id, LedgerEntry.game)
        .where(LedgerEntry.reason == CARRIED)
        .group_by(LedgerEntry.player_id, LedgerEntry.game)
        .having(func.count() > 1)
    )
    for player, game in db.session.execute(several).all():
        with writing():
            one_at_a_time("prune")
            _merge((player, game))


def _merge(purse: Purse) -> None:
    columns = (LedgerEntry.id, LedgerEntry.reason, LedgerEntry.amount)
    entries = select(*columns).where(LedgerEntry.player_id == purse[0], LedgerEntry.game == purse[1])
    earlier: list[int] = []
    changed: dict[int, int] = {}
    last, total = None, 0
    for id, reason, amount in db.session.execute(entries.order_by(LedgerEntry.id)).all():
        if reason != CARRIED:
            last, total = None, 0
            continue
        if last is not None:
            earlier.append(last)
            changed.pop(last, None)
            changed[id] = total + amount
        last, total = id, total + amount
    for id, amount in changed.items():
        db.session.execute(update(LedgerEntry).where(LedgerEntry.id == id).values(amount=amount))
    for at in range(0, len(earlier), 500):
        db.session.execute(delete(LedgerEntry).where(LedgerEntry.id.in_(earlier[at : at + 500])))
