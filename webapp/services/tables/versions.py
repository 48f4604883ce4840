"""Versions of a shared table: locking it for a change, raising its version, and publishing that after the commit."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from flask import current_app
from sqlalchemy import ColumnElement, bindparam, or_, select
from sqlalchemy.orm import joinedload

from webapp.extensions import db
from webapp.models import Player, SharedTable, TableRound, TableSeat
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.tables import presence, snapshots
from webapp.services.tables.facts import Snapshot
from webapp.services.tables.hub import Hub

# put together once: building a statement takes as long as running it
_LOCKED: Final = (
    select(SharedTable).order_by(SharedTable.code).with_for_update().execution_options(populate_existing=True)
)
_LOCKED_BY_CODE: Final = _LOCKED.where(SharedTable.code == bindparam("code"))
_WITH_BETS: Final = (joinedload(TableRound.bets),)


@contextmanager
def locked(code: str, mover: str | None = None) -> Iterator[SharedTable]:
    """Open a transaction that holds the lock of a table.

    ``mover``: a player who may leave other tables for this one; those are locked as well.
    """
    with writing():
        if mover is None:
            table = db.session.scalars(_LOCKED_BY_CODE, {"code": code}).one_or_none()
        else:
            tables = lock_tables(mover, SharedTable.code == code)
            table = next((table for table in tables if table.code == code), None)
        if table is None:
            raise Refusal("table-not-found", code[:20])
        # the session holds only weak references to its rows; one query instead of two. bench: tables
        _round = db.session.get(TableRound, table.round_key, options=_WITH_BETS)
        yield table


def lock_tables(mover: str | None, condition: ColumnElement[bool]) -> Sequence[SharedTable]:
    """Lock the tables that match a condition, and those at which a player sits. Return them all.

    Rows are always locked in this order, to avoid deadlocks: the player, then all tables in the order of their codes,
    then rows that belong to a table. While the player is locked, no other transaction can seat the player at another
    table. Inserting rows that only refer to the player does not wait for that lock.
    """
    if mover is not None:
        db.session.execute(select(Player.id).where(Player.id == mover).with_for_update(key_share=True))
        seats = select(TableSeat.table_code).where(TableSeat.player_id == mover)
        condition = or_(condition, SharedTable.code.in_(list(db.session.scalars(seats))))
    return db.session.scalars(_LOCKED.where(condition)).all()


def after_commit(current: Snapshot, player: str | None, now: int, *moved: SharedTable) -> None:
    """Cache the snapshot for all viewers, record a heartbeat of the player, and publish tables that have changed."""
    snapshots.keep(current)
    seat = current.seat_of(player)
    if seat is not None:  # otherwise an earlier one, not written yet, would replace the stored one
        presence.heartbeats().note(current.code, seat.holder, now)
    for table in moved:
        publish(table)


def bump_version(table: SharedTable, now: int) -> None:
    """Raise the version within the transaction of a change. Its commit publishes the version to other processes."""
    table.version += 1
    table.moved_at = now
    db.session.flush()
    hub().prepare(table.code, table.version)


def publish(table: SharedTable) -> None:
    """Publish the version of a table to the streams of this process. To be called after the commit."""
    hub().moved(table.code, table.version)


def hub() -> Hub:
    """Return the hub of the current app."""
    hub_of_app: Hub = current_app.extensions["tables"]
    return hub_of_app
