"""Backups of a PostgreSQL database, by the programs that come with PostgreSQL."""

import os
import shutil
import subprocess  # pg_dump and pg_restore, with arguments of our own
from pathlib import Path
from typing import Final

from sqlalchemy import URL, inspect

from webapp.extensions import db

MAGIC: Final = b"PGDMP"
"""Beginning of what ``pg_dump`` writes in its own format."""


class DumpError(Exception):
    """A program is missing or has failed; the text says which, and holds no password."""


def dump(file: Path) -> None:
    """Write all of the database of the current app to a file, as of one moment, while people play.

    Raises:
        DumpError: ``pg_dump`` is missing, too old for the server, or has failed.
    """
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
    url = db.engine.url
    database = ["--dbname", _address(url)]
    environ = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    done = subprocess.run([path, *database, *options], env=environ, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise DumpError(f"{program}: {said[0] if said else f'exit status {done.returncode}'}")


def _address(url: URL) -> str:
    """Return the address for libpq, without the password: others on the machine see the arguments of a program."""
    return url.set(drivername="postgresql", password=None).render_as_string()
