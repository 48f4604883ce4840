"""The group of all commands: one that meets a database that cannot be used says so in a sentence, and ends with 2."""

import os
import sqlite3
from typing import Any

import click
from sqlalchemy.exc import SQLAlchemyError

from webapp.cli.app import DatabaseUnusable
from webapp.services.operations.database_sentences import sentence


class CommandGroup(click.Group):
    """A group of commands, of which each may meet a database that cannot be used."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run what was asked for. Faults of our own keep their traceback."""
        try:
            return super().invoke(ctx)
        except (SQLAlchemyError, sqlite3.Error) as error:
            said = sentence(error, os.environ.get("TEFUDA_DATABASE_URL", ""))
            if said is None:
                raise
            raise DatabaseUnusable(said) from error
