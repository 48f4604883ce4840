"""Clearing away shared tables that were left."""

import traceback
from typing import Final

import structlog
from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from webapp.extensions import db
from webapp.models import Player, SharedTable, TableRound
from webapp.services.core.clock import now_ms, was_set_forward
from webapp.services.core.database import writing
from webapp.services.tables import bots, overdue, rounds
from webapp.services.tables.overdue import LONG_AGO
from webapp.services.tables.versions import bump_version, publish

log = structlog.get_logger()

EMPTY_AFTER: Final = 30 * 60_000
"""Milliseconds without a change after which a table is quiet: it is not listed any more, and cleared away if empty."""
AT_ONCE: Final = 100
"""Quiet tables that are cleared at once."""


def close_abandoned() -> None:
    """Clear quiet tables, each in a transaction of its own. The timer does so.

    Long overdue rounds are played to their end, and empty tables are removed. A table with which this fails is logged
    and tried again later, so that it does not hinder the clearing of others.
    """
    if was_set_forward():
        return
    now = now_ms()
    waited_longest = select(SharedTable.code).where(*_quiet(now)).order_by(SharedTable.moved_at).limit(AT_ONCE)
    for code in db.session.scalars(waited_longest).all():
        try:
            _clear(code, now)
        except Exception as error:  # noqa: BLE001  # of this table alone
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{place.filename}:{place.lineno} {place.name}"
            log.error("table not cleared away", error=type(error).__name__, place=where)
            _put_off(code, now)


def _quiet(now: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of an open table at which nothing has changed for a while."""
    return SharedTable.phase != "closed", SharedTable.moved_at < now - EMPTY_AFTER


def _clear(code: str, now: int) -> None:
    """Bring a quiet table up to date, or remove it if it is empty. One that is locked is left alone."""
    with writing() as session:
        free = select(SharedTable).where(SharedTable.code == code, *_quiet(now)).with_for_update(skip_locked=True)
        table = session.scalars(free.execution_options(populate_existing=True)).one_or_none()
        if table is None:
            return
        overdue.catch_up(table, now)
        stays = bool(table.seats)
        if stays:
            bump_version(table, now)
        else:
            remove_table(table)
    if stays:
        publish(table)


def _put_off(code: str, now: int) -> None:
    """Delay the next attempt to clear a table, without reading it."""
    later = (
        update(SharedTable).where(SharedTable.code == code, *_quiet(now)).values(moved_at=now - EMPTY_AFTER + LONG_AGO)
    )
    try:
        with writing() as session:
            session.execute(later.execution_options(synchronize_session=False))
    except SQLAlchemyError as error:  # the database is busy: it is tried again in a minute
        log.warning("table not put off", error=type(error).__name__)


def remove_table(table: SharedTable) -> None:
    """Delete a table at which no round ever began, with its bots; close any other, so that its rounds can be looked up.

    Entries in the ledger refer to a round that began, even if it was taken back.
    """
    began = select(func.count()).where(TableRound.table_code == table.code, TableRound.begun > 0)
    if db.session.scalar(began):
        table.version += 1
        rounds.close_table(table)
        return
    for round in db.session.scalars(select(TableRound).where(TableRound.table_code == table.code)):
        db.session.delete(round)
    db.session.flush()
    db.session.delete(table)
    db.session.flush()
    db.session.execute(delete(Player).where(Player.id.in_(bots.bot_players(table))))
