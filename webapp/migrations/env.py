"""Run migrations on the database of the current app. Alembic loads this file."""

from alembic import context
from sqlalchemy import Connection, func, select

from webapp.extensions import Base, db
from webapp.services.core.database import IN_TRANSACTION, begin, set_limits

MIGRATING = 7_351_084_220
"""Number of the lock that a migration holds on PostgreSQL. SQLite lets one write at a time anyway."""


def run() -> None:
    """Run what was asked of Alembic, in one transaction.

    SQLite changes a table by copying it, and would take the rows that refer to it for orphans meanwhile.
    """
    is_sqlite = db.engine.dialect.name == "sqlite"
    with db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as connection:
        context.configure(
            connection=connection, target_metadata=Base.metadata, render_as_batch=True, transactional_ddl=True
        )
        if is_sqlite:
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        try:
            _migrate(connection, is_sqlite)
        finally:
            if is_sqlite:
                connection.exec_driver_sql("PRAGMA foreign_keys = ON")


def _migrate(connection: Connection, is_sqlite: bool) -> None:
    with context.begin_transaction():
        begin(connection)
        set_limits(connection, 0)
        if not is_sqlite:  # several processes of a site may be started together
            connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
        context.run_migrations()
        if is_sqlite and (orphans := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
            raise RuntimeError(f"rows refer to others that are gone: {orphans[:5]}")


run()
