"""The app that a command works with."""

from collections.abc import Mapping

import click
from flask import Flask

from webapp.app import create_app


def create_command_app(environ: Mapping[str, str] | None = None) -> Flask:
    """Return an app.

    Raises:
        click.UsageError: A setting makes no sense, the instance folder cannot be used, or the driver of the database is
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
    """Return the message about an instance folder in which nothing can be written."""
    return click.UsageError(f"the instance folder (TEFUDA_INSTANCE) cannot be used: {error}")


def to_install(extra: str) -> str:
    """Return the command that installs an extra in a checkout."""
    return f".venv/bin/pip install -c constraints.txt -e '.[{extra}]'"
