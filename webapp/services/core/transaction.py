"""Transactions that mean to write."""

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from threading import RLock
from typing import Final, TypeVar

from flask_sqlalchemy.session import Session
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import scoped_session

from webapp.extensions import db

T = TypeVar("T")

DEADLOCK: Final = "40P01"
"""PostgreSQL's word for it."""
TRIES: Final = 3
PAUSE: Final = 0.05
"""Seconds. The other of the two goes on first: whoever comes back at once may take from it what it waits for, again."""
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


def one_at_a_time(what: str) -> None:
    """Within ``writing``: of all who do this, in any process, the later ones wait until the one before has committed.

    For what is counted before a row is added. On SQLite whoever writes is alone already.
    """
    if db.engine.dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(zlib.crc32(what.encode()))))


def retried(attempt: Callable[[], T]) -> T:
    """Of two transactions that wait for each other PostgreSQL ends one: it is tried again. SQLite has no such pair,
    and of what else went wrong it is not known whether it was done."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) != DEADLOCK:
                raise
            time.sleep(PAUSE)
    return attempt()
