"""Write transactions, and read transactions with a consistent snapshot."""

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from threading import Lock, local
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from webapp.config import TURN_SECONDS
from webapp.extensions import db
from webapp.services.core.database_trouble import NoTurn

T = TypeVar("T")

DEADLOCK: Final = "40P01"
"""PostgreSQL's error code for a deadlock."""
TRIES: Final = 3
PAUSE: Final = 0.05
"""Seconds. The other transaction goes on first: an immediate retry may take from it the lock it waits for, again."""
_WRITER: Final = Lock()
"""SQLite has one writer at a time. A writer that waits inside SQLite polls and is late by seconds; here they queue."""
_THREAD: Final = local()
IN_TRANSACTION: Final[Mapping[str, Mapping[str, Any]]] = {
    "sqlite": {},
    "postgresql": {"isolation_level": "READ COMMITTED"},
}
"""By kind of database: execution options of a connection on which ``begin`` opens a transaction. Others open none, and
each of their statements is one by itself."""


def begin(connection: Connection) -> Connection:
    """Open a write transaction on a connection with the options ``IN_TRANSACTION``, and return the connection.

    On SQLite it takes the lock at the start, or waits for it. One that reads first and writes later is refused when
    others write. PostgreSQL's driver begins by itself.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    return connection


@contextmanager
def writing() -> Iterator[Session]:
    """Open a short transaction that holds the write lock from its start.

    It is committed at the end, and rolled back on any error. No drawing and no simulation belong inside.

    Raises:
        RuntimeError: The thread is writing already. The inner transaction would discard what the outer one has done.
        NoTurn: Others wrote all the while.
    """
    if getattr(_THREAD, "writes", False):
        raise RuntimeError("writing() inside writing(): pass the session of the outer transaction on")
    _THREAD.writes = True
    try:
        db.session.rollback()
        with _turn() if db.engine.dialect.name == "sqlite" else nullcontext():
            try:
                begin(db.session.connection(execution_options=IN_TRANSACTION[db.engine.dialect.name]))
                yield db.session()
                db.session.commit()
            except BaseException:
                db.session.rollback()
                raise
    finally:
        _THREAD.writes = False


@contextmanager
def _turn() -> Iterator[None]:
    if not _WRITER.acquire(timeout=TURN_SECONDS):
        raise NoTurn(f"no turn to write within {TURN_SECONDS} seconds")
    try:
        yield
    finally:
        _WRITER.release()


@contextmanager
def reading_as_of_now(as_long_as_it_takes: bool = False) -> Iterator[None]:
    """Open a read transaction in which all queries see the database as it was at the first one.

    A transaction of SQLite does; PostgreSQL does so at a higher isolation level. ``as_long_as_it_takes``: no time
    limit ends the reading.
    """
    db.session.rollback()
    try:
        if db.engine.dialect.name == "postgresql":
            wanted = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            connection = db.session.connection(execution_options=wanted)
            if as_long_as_it_takes:
                set_limits(connection, 0)
        else:
            db.session.connection().exec_driver_sql("BEGIN")
        yield
    finally:
        db.session.rollback()


def set_limits(connection: Connection, seconds: int) -> None:
    """Set PostgreSQL's timeouts for statements, locks and idle time in this transaction; 0 is no limit."""
    if connection.dialect.name == "postgresql":
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(text(f"SET LOCAL {limit} = {int(1000 * seconds)}"))


def rollback() -> None:
    """Roll back, so that the next query sees the current state of the database."""
    db.session.rollback()


def one_at_a_time(what: str) -> None:
    """Wait, within ``writing``, until every other transaction that has asked for the same word has ended.

    For what is counted before a row is added. On SQLite there is only one writer anyway.
    """
    if db.engine.dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(zlib.crc32(what.encode()))))


def retried(attempt: Callable[[], T]) -> T:
    """Return the result of ``attempt``, which is repeated if PostgreSQL has aborted it because of a deadlock.

    SQLite has no deadlocks. After any other error nobody knows if the transaction took place, so it is not repeated.
    """
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != DEADLOCK:
                raise
            time.sleep(PAUSE)
    return attempt()
