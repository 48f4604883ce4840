"""Run migrations on the database of the current app. Alembic loads this file."""

from alembic import context
from sqlalchemy import func, select

from webapp.extensions import Base, db
from webapp.services.core.transaction import IN_TRANSACTION, begin, set_limits

MIGRATING = 7_351_084_220
"""Number of the lock that a migration holds on PostgreSQL. SQLite lets one write at a time anyway."""


def run() -> None:
    """Run what was asked of Alembic, in one transaction."""
    with db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as connection:
        context.configure(
            connection=connection, target_metadata=Base.metadata, render_as_batch=True, transactional_ddl=True
        )
        with context.begin_transaction():
            begin(connection)
            set_limits(connection, 0)
            if connection.dialect.name == "postgresql":  # several processes of a site may be started together
                connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
            context.run_migrations()


run()
