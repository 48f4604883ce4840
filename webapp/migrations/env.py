"""Run migrations on the database of the current app. Alembic loads this file."""

from alembic import context

from webapp.extensions import Base, db
from webapp.services.core.transaction import set_limits


def run() -> None:
    """Run what was asked of Alembic, in one transaction."""
    in_transaction = {} if db.engine.dialect.name == "sqlite" else {"isolation_level": "READ COMMITTED"}
    with db.engine.connect().execution_options(**in_transaction) as connection:
        context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
        with context.begin_transaction():
            set_limits(connection, 0)
            context.run_migrations()


run()
