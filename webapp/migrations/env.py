"""Run migrations on the database of the current app. Alembic loads this file."""

from alembic import context

from webapp.extensions import Base, db
from webapp.services.core.transaction import IN_TRANSACTION, set_limits


def run() -> None:
    """Run what was asked of Alembic, in one transaction."""
    with db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as connection:
        context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
        with context.begin_transaction():
            set_limits(connection, 0)
            context.run_migrations()


run()
