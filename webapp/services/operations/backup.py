"""Backups of a database while it is in use: a copy of an SQLite file, or a dump of PostgreSQL's."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from webapp.services.operations import schema
from webapp.services.operations.sqlite_file import address, database_file, discard, make_private


def copy_database(source: Path, target: Path) -> None:
    """Make a consistent copy by SQLite's online backup, while people play. It is its owner's alone.

    Raises:
        OSError: The target is there already, or cannot be made.
        sqlite3.Error: The source is not the database of a card room.
    """
    make_private(target)
    opened = closing(sqlite3.connect(address(source, "ro"), uri=True))
    with opened as old, closing(sqlite3.connect(target)) as new:
        old.execute("SELECT count(*) FROM hand").fetchone()
        old.backup(new)


def is_up_to_date() -> bool:
    """Return True if the database is an SQLite file with the revision that this version wants."""
    source = database_file()
    try:
        return source is not None and _revision(source) == schema.newest_revision()
    except sqlite3.Error:
        return False


def keep_before_upgrade() -> Path | None:
    """Copy an SQLite database that has another revision than this version wants, and return the copy.

    The copy lies beside it and is named by its revision; one that is there already is left alone.
    """
    source = database_file()
    revision = None if source is None else _revision(source)
    if source is None or revision is None or revision == schema.newest_revision():
        return None
    copy = source.with_name(f"{source.name}.revision-{revision}")
    if copy.exists():
        return None
    draft = copy.with_name(f"{copy.name}.part-{os.getpid()}")
    discard(draft)
    try:
        copy_database(source, draft)
        draft.replace(copy)
    finally:
        discard(draft)
    return copy


def _revision(source: Path) -> str | None:
    """Return the revision of an SQLite database; None if it has no tables yet."""
    if not source.exists():
        return None
    with closing(sqlite3.connect(address(source, "ro"), uri=True)) as connection:
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            return None
    return None if row is None else str(row[0])
