"""``tefuda db``: upgrade, check, backup, restore."""

from pathlib import Path

import click
import flask_migrate

from webapp.app import create_app
from webapp.services import backup


@click.group("db")
def database() -> None:
    """The database."""


@database.command()
@click.argument("revision", default="head")
def upgrade(revision: str) -> None:
    """Bring the tables up to date."""
    with create_app().app_context():
        flask_migrate.upgrade(revision=revision)


@database.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def back_up(file: Path) -> None:
    """Copy the database to FILE while the site is in use."""
    with create_app().app_context():
        source = _sqlite_file()
    if file.exists():
        raise click.UsageError(f"{file} exists already")
    backup.copy_database(source, file)
    click.echo(f"{file}: {file.stat().st_size} bytes")


@database.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def restore(file: Path) -> None:
    """Put the database of FILE in place of this one (stop the site first). Open hands become void, stakes go back."""
    with create_app().app_context():
        target = _sqlite_file()
        try:
            backup.copy_database(file, target)
        except Exception as error:
            raise click.UsageError(f"{file} is not a backup of a card room: {error}") from error
        flask_migrate.upgrade()
        click.echo(f"restored; {backup.void_open_hands()} open hands are void")


def _sqlite_file() -> Path:
    found = backup.database_file()
    if found is None:
        raise click.UsageError("this is not an SQLite database: use pg_dump and pg_restore, then tefuda db void")
    return found


@database.command()
def void() -> None:
    """End all open hands and give their stakes back: after a restore by other means."""
    with create_app().app_context():
        click.echo(f"{backup.void_open_hands()} open hands are void")
