"""Backups of a database while it is in use: copies of an SQLite file, dumps of PostgreSQL, and a folder of them."""

import os
import shutil
import sqlite3
import subprocess  # pg_dump and pg_restore, with arguments of our own
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import inspect, select

from webapp.extensions import db
from webapp.models import Hand
from webapp.services.core.clock import now_ms, to_datetime
from webapp.services.core.worker_process import inherited_environment
from webapp.services.operations import schema
from webapp.services.operations.sqlite_file import address, database_file, discard, make_private

SQLITE: Final = ".sqlite3"
POSTGRESQL: Final = ".dump"
_NAME: Final = "tefuda-[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*"


def next_file(folder: Path, ending: str) -> Path:
    """Return the name for a backup made now; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    at = to_datetime(now_ms()).strftime("%Y%m%d-%H%M%S")
    names = (folder / f"tefuda-{at}{more}{ending}" for more in ("", *map("_{}".format, range(2, 100))))
    return next(name for name in names if not name.exists())


def drop_all_but(folder: Path, count: int) -> list[Path]:
    """Remove all backups of a folder but the latest ones, and return what was removed. Other files are left alone."""
    backups = sorted(file for file in folder.glob(_NAME) if file.suffix in (SQLITE, POSTGRESQL))
    dropped = backups[:-count]
    for file in dropped:
        file.unlink()
    return dropped


MAGIC: Final = b"PGDMP"
"""Beginning of what ``pg_dump`` writes in its own format."""


class DumpError(Exception):
    """A program is missing or has failed; the text says which, and holds no password."""


def dump(file: Path) -> None:
    """Write all of the database of the current app to a new file, as of one moment, while people play.

    Raises:
        OSError: The file is there already, or cannot be made.
        SQLAlchemyError: The database does not answer, or has no hands: a copy of it would be worth nothing.
        DumpError: ``pg_dump`` is missing, too old for the server, or has failed.
    """
    with db.engine.connect() as connection:
        connection.execute(select(Hand.key).limit(1))
    make_private(file)
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def load(file: Path) -> None:
    """Read a dump into the database of the current app, in one transaction: all of it, or nothing.

    Raises:
        DumpError: The file is no dump, the database has tables already, or ``pg_restore`` is missing or has failed.
    """
    with file.open("rb") as start:
        if start.read(len(MAGIC)) != MAGIC:
            raise DumpError(f"{file} is not what pg_dump has written")
    if inspect(db.engine).get_table_names():
        raise DumpError("the database has tables already: create an empty one, and name it in TEFUDA_DATABASE_URL")
    _run("pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(file))


def _run(program: str, *options: str) -> None:
    path = shutil.which(program)
    if path is None:
        raise DumpError(f"{program} is not on the path: install the client programs of PostgreSQL")
    address, password = _address()
    words = [path, "--no-password", "--dbname", address, *options]  # no prompt: cron cannot answer one
    environ = inherited_environment(reads_database=True) | ({"PGPASSWORD": password} if password else {})
    done = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise DumpError(f"{program}: {said[0] if said else f'exit status {done.returncode}'}")


def _address() -> tuple[str, str]:
    """Return what the site itself tells libpq to connect, without the password, and the password.

    Others on the machine see the arguments of a program, not its environment.
    """
    from psycopg.conninfo import make_conninfo

    _, told = db.engine.dialect.create_connect_args(db.engine.url)
    password = str(told.pop("password", "") or "")
    told.pop("context", None)  # the driver's own: how it adapts types
    return make_conninfo(**told), password


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
