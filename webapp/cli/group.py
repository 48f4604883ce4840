"""The group of all commands, which explains database errors in a sentence and exits with 2."""

import os
import sqlite3
from typing import Any

import click
from sqlalchemy.exc import SQLAlchemyError

from webapp.cli.app import DatabaseUnusable
from webapp.services.operations.database_sentences import sentence


class CommandGroup(click.Group):
    """A group of commands, each of which may raise a database error."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Other errors keep their traceback."""
        try:
            return super().invoke(ctx)
        except (SQLAlchemyError, sqlite3.Error) as error:
            said = sentence(error, os.environ.get("TEFUDA_DATABASE_URL", ""))
            if said is None:
                raise
            raise DatabaseUnusable(said) from error
