"""Pruning of closed tables with their rounds, and of the players that their bots were."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from webapp.models import (
    LedgerEntry,
    OutcomeStatistics,
    Player,
    PrunedCount,
    Purse,
    Review,
    RoundSeat,
    SharedTable,
    TableRound,
)
from webapp.services.core.transaction import one_at_a_time, writing
from webapp.services.operations.retention import carry_forward
from webapp.services.operations.retention.carry_forward import Gone
from webapp.services.tables.play.bots import bot_players

AT_ONCE: Final = 10
"""Tables that one transaction takes away."""


def prune_tables(before: int, rounds_before: int) -> int:
    """Take away tables that were closed before a time, with their rounds and bots, and return their number.

    A table of which a round has a page stays as long as the page does. A bot plays at one table, and goes with it.

    Args:
        before: unix milliseconds.
        rounds_before: rounds with a page are kept if they ended at this time or later; 0 keeps all.
    """
    of_table = TableRound.table_code == SharedTable.code
    has_page = exists().where(of_table, TableRound.dealt, TableRound.finished_at >= rounds_before)
    chosen = select(SharedTable).where(SharedTable.phase == "closed", SharedTable.moved_at < before, ~has_page)
    count = 0
    while True:
        with writing() as session:
            one_at_a_time("prune")
            tables = session.scalars(chosen.limit(AT_ONCE)).all()
            for table in tables:
                _remove(session, table)
        count += len(tables)
        if len(tables) < AT_ONCE:
            return count


def _remove(session: Session, table: SharedTable) -> None:
    rounds = session.scalars(select(TableRound).where(TableRound.table_code == table.code)).all()
    for round in rounds:
        _remove_round(session, round)
    session.flush()
    bots = bot_players(table)
    session.delete(table)
    session.flush()
    for model in (LedgerEntry, OutcomeStatistics, PrunedCount, Purse):
        session.execute(delete(model).where(model.player_id.in_(bots)))
    session.execute(delete(Player).where(Player.id.in_(bots)))


def _remove_round(session: Session, round: TableRound) -> None:
    chips: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    entries = select(LedgerEntry.player_id, LedgerEntry.reason, LedgerEntry.amount)
    for player, reason, amount in session.execute(entries.where(LedgerEntry.round_key == round.key)):
        chips[player].append((reason, amount))
    carry_forward.count(_gone(round, round.bets, chips))
    carry_forward.carry(LedgerEntry.round_key == round.key)
    session.execute(delete(Review).where(Review.key == round.key))
    session.delete(round)


def _gone(round: TableRound, seats: Sequence[RoundSeat], chips: dict[str, list[tuple[str, int]]]) -> list[Gone]:
    return [
        Gone(seat.player_id, round.game, round.variant, seat.outcome or "", chips[seat.player_id])
        for seat in seats
        if seat.finished_at is not None
    ]
