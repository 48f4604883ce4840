"""Transactions of the database, and its temporary failures: a lock, a full disk, a lost connection."""

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from threading import Lock, local
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from webapp.config import TURN_SECONDS
from webapp.extensions import db

_OF_SQLITE: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,  # also of a file that was moved or deleted
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    )
)
_CLASSES_OF_POSTGRESQL: Final = ("08", "53", "57P")
"""Beginnings of codes: no connection, no resources (also a full disk), the server shuts down."""
_OF_POSTGRESQL: Final = frozenset(("25P03", "25006", "40001", "40P01", "55P03", "57014"))
"""Idle in a transaction for too long, read only, two transactions in each other's way, a lock or a statement that took
too long."""


class NoTurn(SQLAlchemyError):
    """The write lock of SQLite, which has one writer at a time, was not obtained in time."""


def is_temporary(error: BaseException) -> bool:
    """Return True for a database error that may not occur again if the request is repeated."""
    if isinstance(error, (NoTurn, PoolTimeout)):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    code = error_code(error)
    if isinstance(code, int):
        return code & 0xFF in _OF_SQLITE
    if code is None:
        return isinstance(error, (OperationalError, InterfaceError))
    return code in _OF_POSTGRESQL or code.startswith(_CLASSES_OF_POSTGRESQL)


def error_code(error: BaseException) -> int | str | None:
    """Return SQLite's number or PostgreSQL's code of an error, None if it has none."""
    orig = getattr(error, "orig", None)
    code: int | str | None = getattr(orig, "sqlite_errorcode", None) or getattr(orig, "sqlstate", None)
    return code


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
