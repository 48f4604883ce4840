"""Alembic's way to our tables, inside the app's context."""

from alembic import context
from flask import current_app

from webapp.extensions import Base, db


def run() -> None:
    settings = current_app.extensions["migrate"].configure_args
    with db.engine.connect() as connection:
        context.configure(connection=connection, target_metadata=Base.metadata, **settings)
        with context.begin_transaction():
            context.run_migrations()


run()
