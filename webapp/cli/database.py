"""``tefuda db``: upgrade, check, backup, restore."""

import sqlite3
from pathlib import Path

import click

from webapp.cli.house import open_house
from webapp.services import backup
from webapp.services.refusal import Refusal
from webapp.services.schema import migrations


@click.group("db")
def database() -> None:
    """The database."""


@database.command()
@click.argument("revision", default="head")
def upgrade(revision: str) -> None:
    """Bring the tables up to date."""
    with open_house().app_context():
        migrations().upgrade(revision=revision)


@database.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def back_up(file: Path) -> None:
    """Copy the database to FILE while the site is in use."""
    with open_house().app_context():
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
    with open_house().app_context():
        target = _sqlite_file()
        try:
            backup.copy_database(file, target)
        except sqlite3.Error as error:
            raise click.UsageError(f"{file} is not a backup of a card room: {error}") from error
        migrations().upgrade()
        click.echo(f"restored; {_void()} open hands are void")


def _sqlite_file() -> Path:
    found = backup.database_file()
    if found is None:
        raise click.UsageError("this is not an SQLite database: use pg_dump and pg_restore, then tefuda db void")
    return found


@database.command()
def void() -> None:
    """End all open hands and give their stakes back: after a restore by other means."""
    with open_house().app_context():
        click.echo(f"{_void()} open hands are void")


def _void() -> int:
    """What had a cut is revealed, so the key that sealed it must be here."""
    try:
        return backup.void_open_hands()
    except Refusal as error:
        raise click.UsageError(
            f"the open hands are not void yet: {error.detail} is sealed with another key. Bring the secret_key of that "
            "house, or name it in TEFUDA_SECRET_KEY_FALLBACKS, then run: tefuda db void"
        ) from error
