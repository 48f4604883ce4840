"""The database, looked into and tampered with behind the back of the app."""

from typing import Any

from flask import Flask
from sqlalchemy import text

from webapp.extensions import Base, db
from webapp.services.operations.audit.run import audit

DAY = 24 * 3600

Rows = dict[str, list[tuple[Any, ...]]]


def rows(app: Flask) -> Rows:
    """All that is stored."""
    with app.app_context():
        found = {
            table.name: sorted(map(tuple, db.session.execute(table.select())), key=repr)
            for table in Base.metadata.sorted_tables
        }
        db.session.remove()
    return found


def row(app: Flask, statement: str, **values: Any) -> Any:
    """The first row of a query, or None."""
    with app.app_context():
        found = db.session.execute(text(statement), values).first()
        db.session.remove()
    return found


def all_rows(app: Flask, statement: str, **values: Any) -> list[Any]:
    """All rows of a query."""
    with app.app_context():
        found = list(db.session.execute(text(statement), values))
        db.session.remove()
    return found


def tamper(app: Flask, statement: str, **values: Any) -> None:
    """Change what is stored; at least one row must be hit."""
    with app.app_context():
        done = db.session.execute(text(statement), values)
        assert done.rowcount, f"nothing to tamper with: {statement}"
        db.session.commit()
        db.session.remove()


def findings(app: Flask) -> list[str]:
    """What the audit says, a line a finding."""
    with app.app_context():
        found = [f"{each.where} {each.what}" for each in audit()]
        db.session.remove()
    return found


def let_a_day_pass(app: Flask, key: str, seconds: int = DAY + 60) -> None:
    """Make the last move of a hand older by a day and a minute."""
    tamper(app, "UPDATE hand SET moved_at = moved_at - :s WHERE key = :key", s=1000 * seconds, key=key)
