"""``tefuda db backup`` writes copies that only their owner can read, and explains where it cannot write."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close
from tests.support.command_line import CommandResult
from tests.support.databases import on_both
from tests.support.moves import dealt
from tests.support.player import Player
from webapp.services.operations import backup


@pytest.fixture
def careless() -> Iterator[None]:
    """Set a umask that gives everybody all permissions."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@on_both
@pytest.mark.usefixtures("careless")
def test_a_copy_is_its_owners_alone_from_its_first_moment(
    app: Flask, database_url: str, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Permissions are checked where the copying begins, before the first byte, and at the end."""
    dealt(alice)
    close(app)
    modes: list[int] = []
    connect, run = sqlite3.connect, backup._run

    def connect_and_look(file: object, *words: object, **options: object) -> sqlite3.Connection:
        modes.extend(mode(draft) for draft in tmp_path.glob("copy.part-*"))
        return connect(file, *words, **options)  # type: ignore[call-overload,no-any-return]

    def run_and_look(*words: str) -> None:
        modes.extend(mode(draft) for draft in tmp_path.glob("copy.part-*"))
        run(*words)

    monkeypatch.setattr(backup.sqlite3, "connect", connect_and_look)
    monkeypatch.setattr(backup, "_run", run_and_look)
    made = tefuda("db", "backup", str(tmp_path / "copy"), TEFUDA_DATABASE_URL=database_url)
    assert made.status == 0, made.errors
    assert modes
    assert {*modes, mode(tmp_path / "copy")} == {0o600}


@pytest.mark.usefixtures("careless")
def test_what_is_restored_can_be_read_by_those_who_could_read_it_before(
    app: Flask, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    """A database that did not exist before can be read by its owner only."""
    dealt(alice)
    close(app)
    new, copy = tmp_path / "new.sqlite3", str(tmp_path / "copy")
    assert tefuda("db", "backup", copy).status == 0
    assert tefuda("db", "restore", copy, TEFUDA_DATABASE_URL=f"sqlite:///{new}").status == 0
    assert mode(new) == 0o600
    new.chmod(0o640)
    assert tefuda("db", "restore", copy, TEFUDA_DATABASE_URL=f"sqlite:///{new}").status == 0
    assert mode(new) == 0o640
    assert tefuda("db", "upgrade", TEFUDA_DATABASE_URL=f"sqlite:///{tmp_path / 'made.sqlite3'}").status == 0
    assert mode(tmp_path / "made.sqlite3") == 0o600


def test_a_place_where_nothing_can_be_written_is_named_in_a_sentence(
    app: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    (tmp_path / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    for words in (
        ("--keep", "2", str(tmp_path / "file")),
        ("--keep", "2", str(tmp_path / "file" / "folder")),
        ("--keep", "2", "/proc/nowhere"),
        (str(tmp_path / "file" / "copy"),),
        (str(tmp_path / "nowhere" / "copy"),),
        (str(tmp_path / ("n" * 300)),),
        ("/proc/copy",),
    ):
        refused = tefuda("db", "backup", *words, TEFUDA_INSTANCE=str(tmp_path))
        assert refused.status == 2, words
        assert f"{words[-1]} cannot be written: " in refused.errors
        assert "Traceback" not in refused.errors
    assert sorted(tmp_path.rglob("*")) == before
