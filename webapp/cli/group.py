"""The group of all commands, which imports those that are used, and explains database errors in a sentence."""

import os
import sqlite3
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class CommandGroup(click.Group):
    """A group of commands, each of which may raise a database error: it then exits with 2.

    Args:
        commands_at: ``package.module:name`` of each command.
    """

    def __init__(self, *args: Any, commands_at: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return sorted(self._commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command. None if there is none of this name."""
        if cmd_name not in self._commands_at:
            return None
        module, _, name = self._commands_at[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Other errors keep their traceback."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            said = _sentence(error)
            if said is None:
                raise
            raise said from error


def _sentence(error: Exception) -> click.ClickException | None:
    """Return what a command says about an error of the database; None if it is another error."""
    from sqlalchemy.exc import SQLAlchemyError

    from webapp.cli.app import DatabaseUnusable
    from webapp.services.operations.database_sentences import sentence

    if not isinstance(error, SQLAlchemyError | sqlite3.Error):
        return None
    said = sentence(error, os.environ.get("TEFUDA_DATABASE_URL", ""))
    return None if said is None else DatabaseUnusable(said)
