"""Pruning of finished solo hands, and of the shoes that they were dealt from."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.orm import Session, aliased

from webapp.extensions import Base
from webapp.models import IS_PLAY, Hand, LedgerEntry, Review, Shoe
from webapp.services.core.transaction import one_at_a_time, writing
from webapp.services.operations.retention import carry_forward
from webapp.services.operations.retention.carry_forward import UNDEALT, Gone
from webapp.services.solo.prepared import UNNUMBERED

AT_ONCE: Final = 200
"""Hands, or shoes, that one transaction takes away: others wait meanwhile."""


def prune_hands(before: int, *conditions: ColumnElement[bool]) -> int:
    """Take away hands that ended before a time, and return their number. Purses, numbers and counters stay.

    Hands of a shoe go together, once all of them may.

    Args:
        before: unix milliseconds.
        conditions: of the hands that are meant, if not all are.
    """
    return _with_packs(before, conditions) + _with_shoes(before, conditions)


def _with_packs(before: int, conditions: Sequence[ColumnElement[bool]]) -> int:
    chosen = select(Hand).where(Hand.finished_at < before, IS_PLAY, Hand.shoe_key.is_(None), *conditions).limit(AT_ONCE)
    count = 0
    while True:
        with writing() as session:
            one_at_a_time("prune")
            hands = session.scalars(chosen).all()
            _remove(session, hands)
        count += len(hands)
        if len(hands) < AT_ONCE:
            return count


def _with_shoes(before: int, conditions: Sequence[ColumnElement[bool]]) -> int:
    of_shoe = aliased(Hand)
    stays = exists().where(
        of_shoe.shoe_key == Shoe.key, or_(of_shoe.finished_at.is_(None), of_shoe.finished_at >= before)
    )
    is_meant = exists().where(Hand.shoe_key == Shoe.key, *conditions)
    chosen = select(Shoe).where(Shoe.closed_at < before, ~stays, is_meant).limit(max(AT_ONCE // 10, 1))
    count = 0
    while True:
        with writing() as session:
            one_at_a_time("prune")
            shoes = session.scalars(chosen).all()
            keys = [shoe.key for shoe in shoes]
            hands = session.scalars(select(Hand).where(Hand.shoe_key.in_(keys))).all()
            _remove(session, hands)
            session.execute(delete(Shoe).where(Shoe.key.in_(keys)))
        count += len(hands)
        if not shoes:
            return count


def _remove(session: Session, hands: Sequence[Hand]) -> None:
    keys = [hand.key for hand in hands]
    chips: defaultdict[str | None, list[tuple[str, int]]] = defaultdict(list)
    entries = select(LedgerEntry.hand_key, LedgerEntry.reason, LedgerEntry.amount)
    for key, reason, amount in session.execute(entries.where(LedgerEntry.hand_key.in_(keys))):
        chips[key].append((reason, amount))
    carry_forward.count(_gone(hand, chips[hand.key]) for hand in hands if hand.seq != UNNUMBERED)
    carry_forward.carry(LedgerEntry.hand_key.in_(keys))
    _forget_references(session, keys)
    session.execute(delete(Review).where(Review.key.in_(keys)))
    for hand in hands:
        session.expunge(hand)
    session.execute(delete(Hand).where(Hand.key.in_(keys)))


def _gone(hand: Hand, chips: Sequence[tuple[str, int]]) -> Gone:
    outcome = UNDEALT if hand.cut is None else hand.outcome or ""
    return Gone(hand.player_id, hand.game, hand.variant, outcome, chips)


def _forget_references(session: Session, keys: Sequence[str]) -> None:
    """Remove what is stored about these hands elsewhere: hands that were practised from their cards, for one."""
    key = Hand.metadata.tables["hand"].c.key
    for table in Base.metadata.sorted_tables:
        if table.name != "ledger_entry":
            for column in (reference.parent for reference in table.foreign_keys if reference.column is key):
                session.execute(delete(table).where(column.in_(keys)))
