"""``prune``: delete what is older than the settings ``keep_*`` of ``webapp.config`` allow. Finished hands stay."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, delete, exists, select, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from webapp.config import Config
from webapp.extensions import Base
from webapp.models import (
    AGAIN,
    DrillAnswer,
    Hand,
    LabJob,
    LedgerEntry,
    OutcomeStatistics,
    Player,
    PrunedCount,
    Purse,
    Recall,
    SharedTable,
    Shoe,
    TableRound,
)
from webapp.services import circles, sign_in_links
from webapp.services.core.clock import DAY, now_ms, was_set_forward
from webapp.services.core.database import one_at_a_time, writing
from webapp.services.tables.bots import bot_players

PLAYERS_AT_ONCE: Final = 200
"""Players that one transaction takes away."""
OWN: Final = (LedgerEntry, OutcomeStatistics, Purse, PrunedCount, DrillAnswer, Recall, Hand, Shoe)
"""Rows that are deleted with such a player, in this order. Any other row about a player keeps the player."""


def prune_newcomers(before: int) -> int:
    """Take away players who came before a time and never finished a hand, and return their number.

    Their purses hold nothing but the chips that these were filled with.
    """
    count = 0
    while True:
        with writing() as session:
            one_at_a_time("prune")
            chosen = select(Player.id).where(Player.created_at < before, *_has_left_nothing(before))
            chosen = chosen.limit(PLAYERS_AT_ONCE)
            players = session.scalars(chosen).all()
            for model in OWN:
                session.execute(delete(model).where(model.player_id.in_(players)))
            session.execute(delete(Player).where(Player.id.in_(players)))
        count += len(players)
        if len(players) < PLAYERS_AT_ONCE:
            return count


def _has_left_nothing(before: int) -> list[ColumnElement[bool]]:
    """Return the conditions: no hand in play or with a page, nothing recent, and no other row that names them."""
    conditions = [
        ~exists().where(Hand.player_id == Player.id, (Hand.cut.is_not(None)) | (Hand.moved_at >= before)),
        ~exists().where(Shoe.player_id == Player.id, (Shoe.cut.is_not(None)) | (Shoe.moved_at >= before)),
        ~exists().where(PrunedCount.player_id == Player.id),
        ~exists().where(Recall.player_id == Player.id, Recall.moved_at >= before),
        ~exists().where(DrillAnswer.player_id == Player.id, DrillAnswer.at >= before),
        ~exists().where(LedgerEntry.player_id == Player.id, (LedgerEntry.at >= before) | (LedgerEntry.reason != "run")),
    ]
    key, own = Player.metadata.tables["player"].c.id, {model.__tablename__ for model in OWN}
    for table in Base.metadata.sorted_tables:
        if table.name not in own:
            columns = (reference.parent for reference in table.foreign_keys if reference.column is key)
            conditions += [~exists().where(column == Player.id) for column in columns]
    return conditions


CARRIED: Final = "carried"
"""Reason of an entry whose round was pruned."""
TABLES_AT_ONCE: Final = 10
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
            tables = session.scalars(chosen.limit(TABLES_AT_ONCE)).all()
            for table in tables:
                _remove(session, table)
        count += len(tables)
        if len(tables) < TABLES_AT_ONCE:
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


@dataclass(frozen=True, slots=True)
class Pruned:
    """Numbers of rows of each kind that were taken away."""

    tables: int = 0
    newcomers: int = 0
    lab_jobs: int = 0
    practice_hands: int = 0
    circles: int = 0


def prune(config: Config, now: int) -> Pruned:
    """Take away what is older than the settings say. Safe while people play, and to be broken off at any moment.

    The order matters: a player whose table, job or circle is gone may be a newcomer.
    """

    def before(days: int) -> int:
        return now - days * DAY if days else 0

    old = before(config.keep_days)
    tables = prune_tables(old) if old else 0
    jobs = _prune_jobs(old) if old else 0
    practised = _prune_practice(old) if old else 0
    sign_in_links.delete_expired(now)
    closed = circles.prune(old) if old else 0
    newcomers = prune_newcomers(old) if old else 0
    return Pruned(tables, newcomers, jobs, practised, closed)


def prune_by_timer(config: Config) -> None:
    """Take away the same, unless the time of day may be wrong."""
    if not was_set_forward():
        prune(config, now_ms())


def _prune_jobs(before: int) -> int:
    with writing() as session:
        result = session.execute(delete(LabJob).where(LabJob.finished_at < before))
        assert isinstance(result, CursorResult)
        return int(result.rowcount)


def _prune_practice(before: int) -> int:
    """Take away hands that were played again by who knew the cards. A first try counts among those of the others."""
    with writing() as session:
        old = (Hand.kind == AGAIN, Hand.finished_at < before)
        session.execute(delete(Recall).where(Recall.hand_key.in_(select(Hand.key).where(*old))))
        result = session.execute(delete(Hand).where(*old))
        assert isinstance(result, CursorResult)
        return int(result.rowcount)
