"""The file of an SQLite database, and of a copy: where it is, how it is made and how it is opened."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from webapp.extensions import db

COMPANIONS: Final = ("-wal", "-shm")
"""Endings of the files that SQLite keeps beside a database."""


def database_file() -> Path | None:
    """Return the file of the current app's database; None for any other kind of database than SQLite."""
    url = db.engine.url
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def make_private(file: Path) -> None:
    """Make an empty file that only its owner can read. SQLite and ``pg_dump`` write into it and keep its permissions.

    Raises:
        OSError: It is there already, or cannot be made.
    """
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def address(file: Path, mode: str) -> str:
    """Return the address by which SQLite opens a file that is there: to read (``ro``), or to write too (``rw``)."""
    return f"{file.absolute().as_uri()}?mode={mode}"


def discard(draft: Path) -> None:
    """Remove a draft and what SQLite keeps beside it."""
    for ending in ("", *COMPANIONS):
        with suppress(OSError):  # a draft that could not be written does not exist
            Path(f"{draft}{ending}").unlink()
