"""Laws for all commands: without a usable database a command prints one sentence, exits with 2 and creates no file."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import click
import pytest

from tests.support.command_line import CommandResult
from tests.support.fixtures.databases import PASSWORD
from webapp.cli import main
from webapp.services.operations.sqlite_file import COMPANIONS

READS = {
    "db backup": ("{folder}/copy",),
    "db void": (),
    "lab work": ("--idle", "0"),
    "players revoke": ("somebody",),
    "players rename": ("somebody", "Ann"),
    "players clear-name": ("somebody",),
    "players remove": ("somebody", "--yes"),
    "players reports": (),
    "tables list": (),
    "tables hide": ("ABC",),
    "audit": (),
    "prune": (),
    "review": (),
    "daily": (),
}
"""Commands that need a database, and what else they are told."""
MAKES = {"db upgrade": (), "db restore": ("{folder}/dump",)}
"""Those that make one, or its tables."""
OTHERS = {
    "serve": (),  # creates one, too, and keeps running without a database server: `/readyz` reports it
    "doctor": (),
    "hand show": ("poker/quest 10 AhKhQhJhTh9h8h7h6h5h hold,stop 2500",),
    "hand verify": ("nonsense",),
    "odds hold": ("Ah Kh Qh Jh 2c",),
    "odds blackjack": ("--hand", "Th 6s", "--dealer", "Tc"),
    "odds game": ("nonsense",),
    "odds index": ("--system", "nonsense"),
    "lab exercise": ("--seed", "1"),
    "lab run": ("--rounds", "0"),
    "i18n update": None,
    "i18n compile": None,  # they work on the checkout
}


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            if each and name == each.name:  # and not an old name of it
                yield from leaves(each, (*path, name))
    else:
        yield " ".join(path)


def test_every_command_is_asked() -> None:
    assert sorted((*READS, *MAKES, *OTHERS)) == sorted(leaves(main))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an instance, and a file that begins like a dump."""
    (tmp_path / "instance").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "dump").write_bytes(b"PGDMP")
    return tmp_path / "folder"


def no_database(file: Path) -> None:
    file.write_bytes(b"no database" * 1000)


def no_tables(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 1")
        database.execute("PRAGMA journal_mode = WAL")


NO_FILES = {
    "no file": ("file", lambda file: None, "{file} is not there: tefuda db upgrade makes it"),
    "no folder": ("nowhere/file", lambda file: None, "the folder {file.parent} is not there: make it"),
    "a folder": ("file", Path.mkdir, "{file} is a folder, and no database"),
    "no database": ("file", no_database, "the database cannot be read: file is not a database"),
    "no tables": ("file", no_tables, "the database has no tables of this version: tefuda db upgrade"),
}
NO_PLACE = ("no folder", "a folder")
"""Where none can be made either."""
NO_SERVERS = {
    "no server": (
        lambda _: f"postgresql://keeper:{quote(PASSWORD, '')}@127.0.0.1:1/room",
        "no PostgreSQL lets us in at 127.0.0.1:1 (",
    ),
    "a wrong password": (lambda at: at("room", f"not {PASSWORD}"), "no PostgreSQL lets us in at "),
    "no such database": (lambda at: at("nowhere", PASSWORD), "no PostgreSQL lets us in at "),
    "no tables": (lambda at: at("blank", PASSWORD), "the database has no tables of this version: tefuda db upgrade"),
}


def words(command: str, folder: Path) -> list[str]:
    told = (READS | MAKES | OTHERS)[command] or ()
    return [*command.split(), *(word.format(folder=folder) for word in told)]


def files(folder: Path) -> dict[Path, bytes | None]:
    """Return all files of the folder with their content, except those SQLite creates while a database is read."""
    paths = (path for path in folder.rglob("*") if not path.name.endswith(COMPANIONS))
    return {path: path.read_bytes() if path.is_file() else None for path in paths}


def wants_sentence(said: CommandResult, sentence: str) -> None:
    assert (said.status, said.out) == (2, ""), said
    assert sentence in said.errors
    assert "Traceback" not in said.errors
    assert len(said.errors.splitlines()) <= 4, "how the command is used, and the sentence"


@pytest.mark.parametrize(
    ("what", "command"),
    [
        *((what, command) for what in NO_FILES for command in READS),
        *((what, command) for what in NO_PLACE for command in (*MAKES, "serve")),
    ],
)
def test_a_command_without_an_sqlite_database_says_so_and_makes_none(
    folder: Path, tefuda: Callable[..., CommandResult], what: str, command: str
) -> None:
    name, make, sentence = NO_FILES[what]
    make(folder / name)
    before = files(folder)
    said = tefuda(*words(command, folder), TEFUDA_DATABASE_URL=f"sqlite:///{folder / name}")
    wants_sentence(said, sentence.format(file=folder / name))
    assert files(folder) == before


@pytest.mark.parametrize(
    ("what", "command"),
    [
        pytest.param(what, command, marks=() if what == "no server" else pytest.mark.pg)
        for what in NO_SERVERS
        for command in (*READS, *(MAKES if what != "no tables" else ()))
        if what == "a wrong password" or command in ("audit", "db backup", "db upgrade")
    ],
)
def test_a_command_without_a_postgresql_database_says_so_without_the_password(
    folder: Path,
    tefuda: Callable[..., CommandResult],
    request: pytest.FixtureRequest,
    what: str,
    command: str,
) -> None:
    address, sentence = NO_SERVERS[what]
    at = None if what == "no server" else request.getfixturevalue("guarded_pg")
    before = files(folder)
    said = tefuda(*words(command, folder), TEFUDA_DATABASE_URL=address(at))
    wants_sentence(said, sentence)
    assert PASSWORD not in said.errors
    assert quote(PASSWORD, "") not in said.errors
    assert files(folder) == before


@pytest.mark.parametrize("what", NO_FILES)
def test_the_doctor_says_the_same_of_a_file(folder: Path, tefuda: Callable[..., CommandResult], what: str) -> None:
    name, make, sentence = NO_FILES[what]
    make(folder / name)
    before = files(folder)
    said = tefuda("doctor", TEFUDA_DATABASE_URL=f"sqlite:///{folder / name}")
    assert said.status == 1
    assert f"database: {sentence.format(file=folder / name)}" in said.out
    assert files(folder) == before


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=() if what == "no server" else pytest.mark.pg) for what in NO_SERVERS]
)
def test_the_doctor_says_the_same_of_a_server(
    folder: Path, tefuda: Callable[..., CommandResult], request: pytest.FixtureRequest, what: str
) -> None:
    address, sentence = NO_SERVERS[what]
    said = tefuda(
        "doctor",
        TEFUDA_DATABASE_URL=address(None if what == "no server" else request.getfixturevalue("guarded_pg")),
    )
    assert said.status == 1
    assert f"database: {sentence}" in said.out
    assert PASSWORD not in said.out
    assert quote(PASSWORD, "") not in said.out


@pytest.mark.parametrize("command", [name for name, told in OTHERS.items() if told and name not in ("serve", "doctor")])
def test_a_command_that_needs_no_database_makes_none(
    folder: Path, tefuda: Callable[..., CommandResult], command: str
) -> None:
    before = files(folder)
    said = tefuda(*words(command, folder), TEFUDA_DATABASE_URL=f"sqlite:///{folder / 'file'}")
    assert said.status in (0, 1, 2), said
    assert "no database" not in said.errors
    assert files(folder) == before


@pytest.mark.parametrize("command", [*READS, *MAKES, "serve", "hand show", "odds hold"])
def test_a_setting_that_makes_no_sense_is_a_wrong_use_of_every_command(
    folder: Path, tefuda: Callable[..., CommandResult], command: str
) -> None:
    for games in ("..", "json"):
        said = tefuda(*words(command, folder), TEFUDA_GAMES=games, TEFUDA_DATABASE_URL=f"sqlite:///{folder / 'file'}")
        assert said.status == 2
        assert said.errors.count("TEFUDA_GAMES") == 1
