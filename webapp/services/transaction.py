"""Transactions that mean to write."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask_sqlalchemy.session import Session
from sqlalchemy.orm import scoped_session

from webapp.extensions import db


@contextmanager
def writing() -> Iterator[scoped_session[Session]]:
    """One short transaction that holds the write lock from its start; committed at the end, rolled back on any error.

    No drawing and no simulation belong inside.
    """
    db.session.rollback()
    try:
        db.session.connection(execution_options={"writes": True})
        yield db.session
        db.session.commit()
    except BaseException:
        db.session.rollback()
        raise
