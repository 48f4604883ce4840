"""The tables, brought up to date. What does it takes 11 MB, which a house that only serves need not carry."""

from types import ModuleType

from flask import current_app

from webapp.config import PACKAGE
from webapp.extensions import db


def migrations() -> ModuleType:
    """Flask-Migrate, for the app of this context: ``migrations().upgrade()``. It is loaded here and nowhere else."""
    import flask_migrate

    flask_migrate.Migrate(current_app, db, directory=str(PACKAGE / "migrations"), render_as_batch=True)
    found: ModuleType = flask_migrate
    return found
