"""Chips move here and nowhere else: a conditional update of the purse and an entry in the ledger, always together."""

from typing import cast

from sqlalchemy import CursorResult, select, update
from sqlalchemy.dialects import postgresql, sqlite

from webapp.extensions import db
from webapp.models import Hand, LedgerEntry, Purse
from webapp.services.refusal import Refusal


def next_number(player: str, game: str) -> int:
    """The number of a new hand. Makes the purse with the first one; holds its row until the transaction ends."""
    insert = sqlite.insert if db.engine.dialect.name == "sqlite" else postgresql.insert
    db.session.execute(
        insert(Purse).values(player_id=player, game=game, balance=0, best=0, hands=0).on_conflict_do_nothing()
    )
    statement = update(Purse).where(Purse.player_id == player, Purse.game == game).values(hands=Purse.hands + 1)
    return db.session.scalars(statement.returning(Purse.hands), execution_options={"synchronize_session": False}).one()


def charge(hand: Hand, reason: str, chips: int, now: int) -> None:
    """Take chips for a hand. Refusal ``purse-too-small`` when they are not there."""
    if chips:
        _move(hand, reason, -chips, now)


def pay(hand: Hand, chips: int, now: int) -> None:
    """Pay a finished hand, and remember the best one."""
    if chips:
        _move(hand, "payout", chips, now)
        purse = (Purse.player_id == hand.player_id, Purse.game == hand.game)
        db.session.execute(
            update(Purse)
            .where(*purse, Purse.best < chips)
            .values(best=chips)
            .execution_options(synchronize_session=False)
        )


def refund(hand: Hand, chips: int, now: int) -> None:
    """Give back what was charged for a hand that does not count."""
    if chips:
        _move(hand, "refund", chips, now)


def _move(hand: Hand, reason: str, amount: int, now: int) -> None:
    purse = (Purse.player_id == hand.player_id, Purse.game == hand.game)
    changed = cast(
        CursorResult[object],
        db.session.execute(
            update(Purse)
            .where(*purse, Purse.balance + amount >= 0)
            .values(balance=Purse.balance + amount)
            .execution_options(synchronize_session=False)
        ),
    )
    if changed.rowcount != 1:
        raise Refusal("purse-too-small")
    balance = db.session.scalars(select(Purse.balance).where(*purse)).one()
    db.session.add(
        LedgerEntry(
            player_id=hand.player_id,
            game=hand.game,
            hand_key=hand.key,
            reason=reason,
            amount=amount,
            balance_after=balance,
            at=now,
        )
    )
