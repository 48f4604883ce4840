"""Backups of a PostgreSQL database, by the programs that come with PostgreSQL."""

import shutil
import subprocess  # pg_dump and pg_restore, with arguments of our own
from pathlib import Path
from typing import Final

from sqlalchemy import inspect, select

from webapp.extensions import db
from webapp.models import Hand
from webapp.services.core.child_processes import inherited_environment
from webapp.services.operations.sqlite_file import make_private

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
