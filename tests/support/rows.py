"""Direct access to the database of an app, to inspect rows and to tamper with them."""

from typing import Any

from flask import Flask
from sqlalchemy import text

from webapp.extensions import Base, db
from webapp.services.operations.audit import audit

DAY = 24 * 3600

Rows = dict[str, list[tuple[Any, ...]]]


def rows(app: Flask) -> Rows:
    """Return all rows of all tables, by table name."""
    with app.app_context():
        found = {
            table.name: sorted(map(tuple, db.session.execute(table.select())), key=repr)
            for table in Base.metadata.sorted_tables
        }
        db.session.remove()
    return found


def row(app: Flask, statement: str, **values: Any) -> Any:
    """Return the first row of a query, or None."""
    with app.app_context():
        found = db.session.execute(text(statement), values).first()
        db.session.remove()
    return found


def all_rows(app: Flask, statement: str, **values: Any) -> list[Any]:
    """Return all rows of a query."""
    with app.app_context():
        found = list(db.session.execute(text(statement), values))
        db.session.remove()
    return found


def tamper(app: Flask, statement: str, **values: Any) -> None:
    """Run a statement that must change at least one row."""
    with app.app_context():
        done = db.session.execute(text(statement), values)
        assert done.rowcount, f"nothing to tamper with: {statement}"
        db.session.commit()
        db.session.remove()


def findings(app: Flask) -> list[str]:
    """Return the findings of the audit, one line each."""
    with app.app_context():
        found = [f"{each.where} {each.what}" for each in audit()]
        db.session.remove()
    return found


def let_a_day_pass(app: Flask, key: str, seconds: int = DAY + 60) -> None:
    """Set the time of a hand's last move back by a day and a minute."""
    tamper(app, "UPDATE hand SET moved_at = moved_at - :s WHERE key = :key", s=1000 * seconds, key=key)
