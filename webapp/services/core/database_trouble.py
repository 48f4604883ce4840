"""Temporary failures of the database: another request holds a lock, the disk is full, the connection is lost."""

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

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
