"""Chips move here and nowhere else: a conditional update of the purse and an entry in the ledger, always together."""

from typing import Any, Final

from sqlalchemy import ColumnElement, update
from sqlalchemy.dialects import postgresql, sqlite

from webapp.engine.game import Bets
from webapp.extensions import db
from webapp.models import Hand, LedgerEntry, Purse, TableRound
from webapp.services.refusal import Refusal

CEILING: Final = 10**15
"""No purse holds more. What would go beyond it is not paid; the rules page says so."""


def next_number(player: str, game: str) -> int:
    """The number of a new hand. Makes the purse with the first one; holds its row until the transaction ends."""
    return _counted(player, game).hands


def open_at_table(player: str, game: str, bets: Bets, now: int) -> int:
    """Chips of somebody who plays a round at a shared table. One that pays no bet any more is filled anew."""
    _counted(player, game)
    begin_run_if_over(player, game, bets, now)
    return db.session.get_one(Purse, (player, game)).balance


def _counted(player: str, game: str) -> Purse:
    """The purse, made if there is none, with one hand more on its count."""
    insert = sqlite.insert if db.engine.dialect.name == "sqlite" else postgresql.insert
    db.session.execute(
        insert(Purse)
        .values(player_id=player, game=game, balance=0, best=0, hands=0, runs=0, peak=0, last_stakes="")
        .on_conflict_do_nothing()
    )
    purse = _change(player, game, hands=Purse.hands + 1)
    assert purse is not None
    return purse


def begin_run_if_over(player: str, game: str, bets: Bets, now: int, anew: bool = False) -> None:
    """Fill the purse to what a run starts with, if it cannot pay the least bet any more, or if that is asked for."""
    purse = db.session.get_one(Purse, (player, game))
    if purse.runs and purse.balance >= bets.least and not anew:
        return
    _enter(player, game, None, "run", bets.start - purse.balance, now)
    purse.runs += 1


def stake(hand: Hand, chips: int, now: int) -> None:
    """Take the stakes of a hand with its deal, and remember them. Refusal ``purse-too-small``."""
    if chips:
        charge(hand, "stake", chips, now)
        db.session.get_one(Purse, (hand.player_id, hand.game)).last_stakes = hand.stakes


def charge(hand: Hand, reason: str, chips: int, now: int) -> None:
    """Take chips for a hand. Refusal ``purse-too-small`` when they are not there."""
    if chips:
        _enter(hand.player_id, hand.game, hand.key, reason, -chips, now)


def pay(hand: Hand, chips: int, now: int) -> None:
    """Pay a finished hand, up to the ceiling of the purse, and remember the best one."""
    purse = db.session.get_one(Purse, (hand.player_id, hand.game), with_for_update=True, populate_existing=True)
    paid = min(chips, CEILING - purse.balance)
    if paid:
        _enter(hand.player_id, hand.game, hand.key, "payout", paid, now)
        purse.best = max(purse.best, paid)


def refund(hand: Hand, chips: int, now: int) -> None:
    """Give back what was charged for a hand that does not count."""
    if chips:
        _enter(hand.player_id, hand.game, hand.key, "refund", chips, now)


def balance(player: str, game: str) -> int:
    purse = db.session.get(Purse, (player, game))
    return purse.balance if purse else 0


def move_at_table(player: str, round: TableRound, reason: str, chips: int, now: int) -> None:
    """Take chips for a round of a shared table (below zero), or give them. Refusal ``purse-too-small``."""
    if not chips:
        return
    _enter(player, round.game, None, reason, chips, now, round.key)
    if reason == "payout":
        purse = db.session.get_one(Purse, (player, round.game))
        purse.best = max(purse.best, chips)


def _enter(
    player: str, game: str, hand: str | None, reason: str, amount: int, now: int, round: str | None = None
) -> None:
    purse = _change(player, game, Purse.balance + amount >= 0, balance=Purse.balance + amount)
    if purse is None:
        raise Refusal("purse-too-small")
    purse.peak = max(purse.peak, purse.balance)
    entry = LedgerEntry(player_id=player, game=game, hand_key=hand, reason=reason, amount=amount, at=now)
    entry.round_key = round
    entry.balance_after = purse.balance
    db.session.add(entry)


def _change(player: str, game: str, *provided: ColumnElement[bool], **values: Any) -> Purse | None:
    """The purse after one conditional update; None if the condition did not hold."""
    statement = update(Purse).where(Purse.player_id == player, Purse.game == game, *provided).values(**values)
    options = {"populate_existing": True, "synchronize_session": False}
    return db.session.scalars(statement.returning(Purse), execution_options=options).one_or_none()
