"""The state of what the site needs in order to serve."""

from sqlalchemy import text

from webapp.extensions import db


def check_database() -> None:
    """Ask the database for a number.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: The database does not answer.
    """
    db.session.execute(text("SELECT 1"))
