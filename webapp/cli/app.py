"""The app of a command."""

import os
from collections.abc import Mapping

import click
from flask import Flask

from webapp.app import create_app
from webapp.config import setting_troubles
from webapp.services.core import other_games
from webapp.services.operations.database_sentences import missing_file
from webapp.setting_texts import words


class DatabaseUnusable(click.ClickException):
    """The database is not there, has no tables, or does not answer; the message holds no password."""

    exit_code = 2


def create_command_app(environ: Mapping[str, str] | None = None, *, makes_database: bool = False) -> Flask:
    """Return an app with a database. ``makes_database``: the command creates a missing SQLite file.

    Raises:
        click.UsageError: As ``create_any_app``.
        DatabaseUnusable: There is no SQLite file: a connection to it would make an empty one.
    """
    app = create_any_app(environ)
    missing = missing_file(app.extensions["config"].database_url, is_made=makes_database)
    if missing is not None:
        raise DatabaseUnusable(missing)
    return app


def create_any_app(environ: Mapping[str, str] | None = None) -> Flask:
    """Return an app without checking its database.

    Raises:
        click.UsageError: Settings make no sense, the instance folder cannot be used, or the driver of the database is
            not installed.
    """
    try:
        return create_app(environ)
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise click.UsageError(f"PostgreSQL needs a driver: {to_install('postgres')}") from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise unusable(error) from error


def unusable(error: OSError) -> click.UsageError:
    """Return the message about an instance folder that cannot be written to."""
    return click.UsageError(f"the instance folder (TEFUDA_INSTANCE) cannot be used: {error}")


def load_games() -> None:
    """Register the games that are not the site's own, for a command that needs no app.

    Raises:
        click.UsageError: Settings make no sense, or name what is no game.
    """
    if troubles := setting_troubles(os.environ):
        raise click.UsageError("\n".join(troubles))
    try:
        other_games.load_games(words(os.environ.get("TEFUDA_GAMES", "")))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def to_install(extra: str) -> str:
    """Return the command that installs an extra in a checkout."""
    return f".venv/bin/pip install -c constraints.txt -e '.[{extra}]'"
