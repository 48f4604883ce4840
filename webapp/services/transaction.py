"""Transactions that mean to write."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import RLock
from typing import Final

from flask_sqlalchemy.session import Session
from sqlalchemy.orm import scoped_session

from webapp.extensions import db

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
