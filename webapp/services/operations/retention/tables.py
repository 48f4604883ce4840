"""Pruning of closed tables at which nobody has played, and of the players that their bots were."""

from typing import Final

from sqlalchemy import delete, exists, select, update
from sqlalchemy.orm import Session

from webapp.models import LedgerEntry, OutcomeStatistics, Player, PrunedCount, Purse, SharedTable, TableRound
from webapp.services.core.transaction import one_at_a_time, writing
from webapp.services.tables.play.bots import bot_players

CARRIED: Final = "carried"
"""Reason of an entry whose round was pruned."""
AT_ONCE: Final = 10
"""Tables that one transaction takes away."""


def prune_tables(before: int) -> int:
    """Take away tables that were closed before a time, with their bots, and return their number.

    A table stays if a round was dealt at it, which has a page. A bot plays at one table, and goes with it.

    Args:
        before: unix milliseconds.
    """
    was_played_at = exists().where(TableRound.table_code == SharedTable.code, TableRound.dealt)
    chosen = select(SharedTable).where(SharedTable.phase == "closed", SharedTable.moved_at < before, ~was_played_at)
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
    for round in session.scalars(select(TableRound).where(TableRound.table_code == table.code)).all():
        # stakes of a round that was taken back, and their return
        entries = update(LedgerEntry).where(LedgerEntry.round_key == round.key)
        session.execute(entries.values(reason=CARRIED, round_key=None))
        session.delete(round)
    session.flush()
    bots = bot_players(table)
    session.delete(table)
    session.flush()
    for model in (LedgerEntry, OutcomeStatistics, PrunedCount, Purse):
        session.execute(delete(model).where(model.player_id.in_(bots)))
    session.execute(delete(Player).where(Player.id.in_(bots)))
