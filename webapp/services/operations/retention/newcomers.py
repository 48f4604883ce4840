"""Pruning of players who came and never finished a hand."""

from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select

from webapp.extensions import Base
from webapp.models import Hand, LedgerEntry, OutcomeStatistics, Player, PrunedCount, Purse, Shoe
from webapp.services.core.transaction import one_at_a_time, writing

AT_ONCE: Final = 200
"""Players that one transaction takes away."""
OWN: Final = (LedgerEntry, OutcomeStatistics, Purse, PrunedCount, Hand, Shoe)
"""Rows that are deleted with such a player, in this order. Any other row about a player keeps the player."""


def prune_newcomers(before: int) -> int:
    """Take away players who came before a time and never finished a hand, and return their number.

    Their purses hold nothing but the chips that these were filled with.
    """
    count = 0
    while True:
        with writing() as session:
            one_at_a_time("prune")
            chosen = select(Player.id).where(Player.created_at < before, *_has_left_nothing(before)).limit(AT_ONCE)
            players = session.scalars(chosen).all()
            for model in OWN:
                session.execute(delete(model).where(model.player_id.in_(players)))
            session.execute(delete(Player).where(Player.id.in_(players)))
        count += len(players)
        if len(players) < AT_ONCE:
            return count


def _has_left_nothing(before: int) -> list[ColumnElement[bool]]:
    """Return the conditions: no hand in play or with a page, nothing recent, and no other row that names them."""
    conditions = [
        ~exists().where(Hand.player_id == Player.id, (Hand.cut.is_not(None)) | (Hand.moved_at >= before)),
        ~exists().where(Shoe.player_id == Player.id, (Shoe.cut.is_not(None)) | (Shoe.moved_at >= before)),
        ~exists().where(PrunedCount.player_id == Player.id),
        ~exists().where(LedgerEntry.player_id == Player.id, (LedgerEntry.at >= before) | (LedgerEntry.reason != "run")),
    ]
    key, own = Player.metadata.tables["player"].c.id, {model.__tablename__ for model in OWN}
    for table in Base.metadata.sorted_tables:
        if table.name not in own:
            columns = (reference.parent for reference in table.foreign_keys if reference.column is key)
            conditions += [~exists().where(column == Player.id) for column in columns]
    return conditions
