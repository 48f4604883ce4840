"""Flask extensions, not yet bound to an app."""

import time
from typing import Final

from flask_compress import Compress
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import ConnectionPoolEntry

IDLE: Final = 1.0
"""Seconds after which a connection to PostgreSQL is asked if it still stands before it is used again."""


class Base(DeclarativeBase):
    """Base of all models."""


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})
compress = Compress()


def prepare_sqlite(engine: Engine, lock_seconds: int) -> None:
    """Set SQLite up: durable commits and foreign keys.

    Python opens no transactions: a query is one by itself, and ``transaction`` begins those that are longer.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: object, _record: object) -> None:
        connection.isolation_level = None  # type: ignore[attr-defined]
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            f"busy_timeout={1000 * lock_seconds}",
            "foreign_keys=ON",
            "cache_size=-256",
        ):
            connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


def prepare_postgresql(engine: Engine, lock_seconds: int, statement_seconds: int, idle_seconds: int) -> None:
    """Give every connection limits, and ask one that nobody has used for a while if it still stands.

    One row that somebody keeps locked must not stop the whole site. A connection may have been lost while it was idle;
    asking at every request would cost each another round trip.
    """

    @event.listens_for(engine, "connect")
    def _on_connect(connection: object, record: ConnectionPoolEntry) -> None:
        connection.autocommit = True  # type: ignore[attr-defined]
        for name, seconds in (
            ("lock_timeout", lock_seconds),
            ("statement_timeout", statement_seconds),
            ("idle_in_transaction_session_timeout", idle_seconds),
        ):
            connection.execute(f"SET {name} = {1000 * seconds}")  # type: ignore[attr-defined]
        record.info["used_at"] = time.monotonic()

    @event.listens_for(engine, "checkin")
    def _on_checkin(_connection: object, record: ConnectionPoolEntry) -> None:
        record.info["used_at"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _on_checkout(connection: DBAPIConnection, record: ConnectionPoolEntry, _proxy: object) -> None:
        if time.monotonic() - record.info["used_at"] < IDLE:
            return
        try:
            engine.dialect.do_ping(connection)
        except Exception as error:
            if engine.dialect.is_disconnect(error, connection, None):  # type: ignore[arg-type]
                raise InvalidatePoolError from error  # makes the pool replace all of its connections
            raise
