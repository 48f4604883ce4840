"""Migrations of the database, by Alembic. It takes 11 MB of memory, so it is loaded only when a migration runs."""

from __future__ import annotations

from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING

from webapp.config import PACKAGE
from webapp.services.operations.sqlite_file import database_file, make_private

if TYPE_CHECKING:
    from alembic.config import Config


class SchemaError(ValueError):
    """A revision that does not exist, or tables that are not as the models describe them."""


def newest_revision() -> str:
    """Return the revision that this version of the site wants: the last one, as the files are named by theirs."""
    names = (path.name for path in (PACKAGE / "migrations" / "versions").glob("[0-9]*_*.py"))
    return max(names).partition("_")[0]


def upgrade(revision: str = "head") -> None:
    """Migrate the database of the current app up to a revision. An SQLite file that is made is its owner's alone.

    Raises:
        OSError: The file cannot be made.
        SchemaError: There is no such revision.
    """
    from alembic import command
    from alembic.util.exc import CommandError

    file = database_file()
    if file is not None and not file.exists():
        with suppress(FileExistsError):
            make_private(file)
    try:
        command.upgrade(_settings(), revision)
    except CommandError as error:
        raise SchemaError(str(error)) from error


def downgrade(revision: str) -> None:
    """Migrate the database of the current app down to a revision; ``base`` leaves no tables."""
    from alembic import command

    command.downgrade(_settings(), revision)


def check() -> None:
    """Compare the database with the models.

    Raises:
        SchemaError: The migrations do not lead to the tables that the models describe.
    """
    from alembic import command
    from alembic.util.exc import CommandError

    try:
        command.check(_settings())
    except CommandError as error:
        raise SchemaError(str(error)) from error


def _settings() -> Config:
    """Return the settings in ``migrations/alembic.ini``."""
    from alembic.config import Config

    return Config(str(PACKAGE / "migrations" / "alembic.ini"), stdout=StringIO())  # Alembic prints a line always
