"""``tefuda db``: upgrade, backup, restore, void."""

import os
import sqlite3
import sys
from pathlib import Path
from typing import Final

import click
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.cli.app import DatabaseUnusable, create_command_app, unusable
from webapp.config import Config
from webapp.services.operations import backup, database_sentences, schema, serving_lock, sqlite_file
from webapp.services.operations.restore import (
    Voided,
    close_connections,
    draft_beside,
    replace_database,
    void_open_hands,
)

_BRING_IT: Final = "Bring the secret_key of that site, or name it in TEFUDA_SECRET_KEY_FALLBACKS"


@click.group("db")
def database() -> None:
    """The database."""


@database.command()
@click.argument("revision", default="head")
def upgrade(revision: str) -> None:
    """Bring the tables up to date."""
    with create_command_app(makes_database=True).app_context():
        try:
            schema.upgrade(revision)
        except schema.SchemaError as error:
            raise click.UsageError(str(error)) from error
        except OSError as error:
            raise DatabaseUnusable(f"the database cannot be made: {error}") from error


@database.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--keep", type=click.IntRange(1, 10_000), help="FILE is a folder: keep the latest N backups in it.")
def back_up(file: Path, keep: int | None) -> None:
    """Copy the database to FILE while the site is in use. It holds no key: keep the secret_key elsewhere, and safe.

    A PostgreSQL database is copied by pg_dump.
    """
    app = create_command_app()
    folder = None if keep is None else file
    try:
        if folder is not None:
            file = backup.next_file(folder, backup.SQLITE if _is_sqlite(app) else backup.POSTGRESQL)
        elif file.is_dir():
            raise click.UsageError(f"{file} is a folder: tefuda db backup --keep N {file}")
        if file.exists():
            raise click.UsageError(f"{file} exists already")
        _copy_to(app, file)
        click.echo(f"{file}: {file.stat().st_size} bytes")
        for old in backup.drop_all_but(folder, keep) if folder and keep else ():
            click.echo(f"{old} was dropped", err=True)
    except OSError as error:
        raise click.UsageError(f"{folder or file} cannot be written: {error.strerror or error}") from error
    click.echo(
        f"It holds no key. Without {_where_the_key_is(app.extensions['config'])} no open hand can be opened", err=True
    )


def _copy_to(app: Flask, file: Path) -> None:
    """Make a copy beside a file, and give it the name once it is whole."""
    draft = file.with_name(f"{file.name}.part-{os.getpid()}")
    sqlite_file.discard(draft)
    with app.app_context():
        source = sqlite_file.database_file()
        try:
            if source is None:
                backup.dump(draft)
            else:
                backup.copy_database(source, draft)
            draft.replace(file)
        except backup.DumpError as error:
            raise click.UsageError(str(error)) from error
        except sqlite3.Error as error:
            why = database_sentences.sentence(error, app.extensions["config"].database_url) or error
            raise DatabaseUnusable(f"{source} cannot be copied: {why}") from error
        finally:
            sqlite_file.discard(draft)


def _is_sqlite(app: Flask) -> bool:
    config: Config = app.extensions["config"]
    return config.sqlite


def _where_the_key_is(config: Config) -> str:
    given = bool(os.environ.get("TEFUDA_SECRET_KEY"))
    return "your TEFUDA_SECRET_KEY and its fallbacks" if given else f"a copy of {config.instance / 'secret_key'}"


@database.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
def restore(file: Path) -> None:
    """Put the database of FILE in place of this one (stop the site first). Open hands become void, stakes go back.

    A dump of pg_dump goes into an empty PostgreSQL database, all of it or nothing. Of SQLite
    FILE is checked, brought up to date and cleared of open hands in a copy. Then it takes the place of the present
    database, which stays beside it under another name. The key that sealed its hands must be the site's, or a fallback.
    """
    app = create_command_app(makes_database=True)
    if not _is_sqlite(app):
        _report(_load_dump(app, file), "restored; ")
        return
    with app.app_context():
        target = sqlite_file.database_file()
    assert target is not None
    draft = draft_beside(target)
    sqlite_file.discard(draft)
    try:
        with serving_lock.alone(app.extensions["config"].instance):
            voided = _prepare(file, draft)
            kept = replace_database(draft, target)
    except serving_lock.SiteIsServing as error:
        raise click.UsageError("the site is running on this database: stop it first. Nothing was changed") from error
    except OSError as error:
        raise unusable(error) from error
    finally:
        sqlite_file.discard(draft)
    if kept is not None:
        click.echo(f"the database that was here is now {kept}", err=True)
    _report(voided, "restored; ")


def _prepare(file: Path, draft: Path) -> Voided:
    """Make a draft of what a restore will lead to.

    Raises:
        click.UsageError: The file is no backup, or not of this version, or a key is missing.
    """
    try:
        backup.copy_database(file, draft)
        app = create_command_app({"TEFUDA_DATABASE_URL": f"sqlite:///{draft}"})
        with app.app_context():
            try:
                schema.upgrade()
                schema.check()
                return void_open_hands()
            finally:
                close_connections()
    except schema.SchemaError as error:
        raise click.UsageError(
            f"{file} is not a backup of this version of the card room: {error}. Nothing was changed"
        ) from error
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise click.UsageError(f"{file} is not a backup of a card room: {error}. Nothing was changed") from error


def _load_dump(app: Flask, file: Path) -> Voided:
    with app.app_context():
        try:
            with serving_lock.alone(app.extensions["config"].instance):
                backup.load(file)
                schema.upgrade()
                return void_open_hands()
        except serving_lock.SiteIsServing as error:
            raise click.UsageError("the site is running: stop it first. Nothing was changed") from error
        except (backup.DumpError, schema.SchemaError) as error:
            raise click.UsageError(str(error)) from error
        except OSError as error:
            raise unusable(error) from error


@database.command()
def void() -> None:
    """End all open hands and give their stakes back: after a restore by other means.

    What was void while its key was missing is revealed, if the key is here now.
    """
    with create_command_app().app_context():
        _report(void_open_hands())


def _report(voided: Voided, before: str = "") -> None:
    """Print how much is void, and exit 1 if something stays sealed."""
    click.echo(f"{before}{voided.in_play} open hands are void")
    if voided.sealed:
        click.echo(
            f"{len(voided.sealed)} hands, shoes and rounds that are over, {voided.sealed[0]} among them, are sealed "
            f"with another key: nobody can see them. {_BRING_IT}: then they are shown, and `tefuda db void` reveals "
            "them.",
            err=True,
        )
        sys.exit(1)
