"""``tefuda db``: upgrade, backup, restore, void."""

import sqlite3
import sys
from pathlib import Path
from typing import Final

import click

from webapp.cli.app import create_command_app
from webapp.services.core.errors import Refusal
from webapp.services.operations import backup, schema

_BRING_IT: Final = "Bring the secret_key of that house, or name it in TEFUDA_SECRET_KEY_FALLBACKS"


@click.group("db")
def database() -> None:
    """The database."""


@database.command()
@click.argument("revision", default="head")
def upgrade(revision: str) -> None:
    """Bring the tables up to date."""
    with create_command_app().app_context():
        try:
            schema.upgrade(revision)
        except schema.SchemaError as error:
            raise click.UsageError(str(error)) from error


@database.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def back_up(file: Path) -> None:
    """Copy the database to FILE while the site is in use."""
    with create_command_app().app_context():
        source = _sqlite_file()
    if file.exists():
        raise click.UsageError(f"{file} exists already")
    try:
        backup.copy_database(source, file)
    except sqlite3.Error as error:
        raise click.UsageError(f"{source} cannot be copied: {error}") from error
    click.echo(f"{file}: {file.stat().st_size} bytes")


@database.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def restore(file: Path) -> None:
    """Put the database of FILE in place of this one (stop the site first). Open hands become void, stakes go back."""
    with create_command_app().app_context():
        target = _sqlite_file()
        try:
            backup.copy_database(file, target)
        except sqlite3.Error as error:
            raise click.UsageError(f"{file} is not a backup of a card room: {error}") from error
        schema.upgrade()
        _void("restored; ")


def _sqlite_file() -> Path:
    file = backup.database_file()
    if file is None:
        raise click.UsageError("this is not an SQLite database: use pg_dump and pg_restore, then tefuda db void")
    return file


@database.command()
def void() -> None:
    """End all open hands and give their stakes back: after a restore by other means.

    What was void while its key was missing is revealed, if the key is here now.
    """
    with create_command_app().app_context():
        _void()


def _void(before: str = "") -> None:
    """Void everything that is open, and print how much.

    Hands are void even if no key opens them; they are not revealed then. A round that no key opens is refused.
    """
    try:
        voided = backup.void_open_hands()
    except Refusal as error:
        raise click.UsageError(
            f"the open tables are not void yet: {error.detail} is sealed with another key. {_BRING_IT}, "
            "then run: tefuda db void"
        ) from error
    click.echo(f"{before}{voided.in_play} open hands are void")
    if voided.sealed:
        click.echo(
            f"{len(voided.sealed)} hands and shoes that are over, {voided.sealed[0]} among them, are sealed with "
            f"another key: nobody can see them. {_BRING_IT}: then they are shown, and `tefuda db void` reveals them.",
            err=True,
        )
        sys.exit(1)
