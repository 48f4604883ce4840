"""Transactions that mean to write."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import RLock
from typing import Final, TypeVar

from flask_sqlalchemy.session import Session
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import scoped_session

from webapp.extensions import db

T = TypeVar("T")

DEADLOCK: Final = "40P01"
"""PostgreSQL's word for it."""
TRIES: Final = 3
_TURN: Final = RLock()
"""SQLite has one writer at a time. Who waits inside it sleeps and looks again, seconds too late; here they queue."""


@contextmanager
def writing() -> Iterator[scoped_session[Session]]:
    """One short transaction that holds the write lock from its start; committed at the end, rolled back on any error.

    No drawing and no simulation belong inside.
    """
    db.session.rollback()
    with _TURN if db.engine.dialect.name == "sqlite" else nullcontext():
        try:
            db.session.connection(execution_options={"writes": True})
            yield db.session
            db.session.commit()
        except BaseException:
            db.session.rollback()
            raise


def retried(attempt: Callable[[], T]) -> T:
    """Of two transactions that wait for each other PostgreSQL ends one: it is tried again. SQLite has no such pair,
    and of what else went wrong it is not known whether it was done."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != DEADLOCK:
                raise
    return attempt()
