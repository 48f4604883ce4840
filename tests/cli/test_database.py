"""``tefuda db restore`` replaces the present database only after the new one was found usable."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close
from tests.support.command_line import CommandResult
from tests.support.moves import dealt, finished, finished_json
from tests.support.player import Player
from tests.support.rows import findings, row, rows
from tests.support.table_players import bet_all, betting
from webapp.services.operations import serving_lock

ROOT = Path(__file__).parents[2]


def changed(backup: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(backup)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return backup


@pytest.fixture
def backup(app: Flask, alice: Player, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> Path:
    """A backup of a site with a finished hand."""
    dealt(alice)
    finished(alice)
    assert tefuda("db", "backup", str(tmp_path / "copy")).status == 0
    return tmp_path / "copy"


@pytest.mark.parametrize(
    "statements",
    [
        ("UPDATE alembic_version SET version_num = '9999'",),
        ("DELETE FROM alembic_version",),
        ("DROP TABLE purse",),
        ("ALTER TABLE hand DROP COLUMN marks",),
    ],
    ids=["newer", "of no revision", "a table is missing", "a column is missing"],
)
def test_what_cannot_be_used_leaves_everything_as_it_is(
    app: Flask,
    bob: Player,
    backup: Path,
    room_sqlite: Path,
    tefuda: Callable[..., CommandResult],
    statements: tuple[str, ...],
) -> None:
    changed(backup, *statements)
    dealt(bob)
    before, beside = rows(app), set(room_sqlite.parent.iterdir())
    close(app)
    refused = tefuda("db", "restore", str(backup))
    assert refused.status == 2
    assert "Nothing was changed" in refused.errors
    assert rows(app) == before
    assert not [path for path in set(room_sqlite.parent.iterdir()) - beside if "restor" in path.name]


def chips_in_purses(app: Flask) -> list[int]:
    return sorted(balance for _, _, balance, *_ in rows(app)["purse"])


def test_a_round_that_no_key_opens_is_void_and_the_key_to_bring_is_named(
    app: Flask, room_sqlite: Path, tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    phase = "betting"
    while phase != "playing":  # after a natural there is a round of other players
        purses = sorted([*chips_in_purses(app), 1000, 1000])
        visitors = betting(app, 2)
        bet_all(visitors, 50)
        phase = visitors[0].phase
    assert chips_in_purses(app) != purses, "a stake is taken"
    assert tefuda("db", "backup", str(tmp_path / "copy")).status == 0
    close(app)
    try:
        other_key = "another key of 32 characters or more"
        restored = tefuda("db", "restore", str(tmp_path / "copy"), TEFUDA_SECRET_KEY=other_key)
        assert restored.status == 1
        assert "Bring the secret_key of that site" in restored.errors
        assert chips_in_purses(app) == purses, "all stakes are back"
        assert tefuda("db", "void").status == 0, "and with the key all of it is revealed"
        sealed = "SELECT count(*) FROM table_round WHERE status = 'void' AND revealed_seed IS NULL"
        assert row(app, sealed) == (0,)
    finally:
        for path in room_sqlite.parent.glob("room.sqlite3.before-restore-*"):
            path.unlink()


def test_the_database_that_was_there_stays_beside_the_new_one(
    app: Flask, bob: Player, backup: Path, room_sqlite: Path, tefuda: Callable[..., CommandResult]
) -> None:
    dealt(bob)
    later = finished(bob)
    close(app)
    done = tefuda("db", "restore", str(backup))
    assert done.status == 0
    (kept,) = room_sqlite.parent.glob("room.sqlite3.before-restore-*")
    try:
        assert str(kept) in done.errors
        assert bob.get(f"/h/{later}").status == 404
        close(app)
        assert tefuda("db", "restore", str(kept)).status == 0, "and can be put back"
        assert finished_json(bob, later)["hand"] == later
        assert findings(app) == []
    finally:
        for path in room_sqlite.parent.glob("room.sqlite3.before-restore-*"):
            path.unlink()


def test_a_database_that_is_broken_is_replaced_too(
    app: Flask, alice: Player, backup: Path, room_sqlite: Path, tefuda: Callable[..., CommandResult]
) -> None:
    before = rows(app)
    close(app)
    room_sqlite.write_bytes(b"no database" * 1000)
    room_sqlite.with_name("room.sqlite3-wal").write_bytes(b"of another time" * 1000)
    assert tefuda("db", "restore", str(backup)).status == 0
    after = rows(app)
    assert row(app, "SELECT seq, status, cut FROM hand WHERE seq = 2") == (2, "void", None), "the prepared hand"
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {"hand", "purse"}
    assert {hand for hand in before["hand"] if "ready" not in hand} <= set(after["hand"])
    for path in room_sqlite.parent.glob("room.sqlite3.before-restore-*"):
        path.unlink()


def test_a_running_site_is_not_restored(
    app: Flask, backup: Path, tmp_path: Path, room_sqlite: Path, tefuda: Callable[..., CommandResult]
) -> None:
    """Also if it has no open connection at the moment, and if another program has opened the database."""
    before = rows(app)
    close(app)
    with serving_lock.hold(tmp_path / "instance"):
        refused = tefuda("db", "restore", str(backup))
        assert (refused.status, "stop it first" in refused.errors) == (2, True)
    with closing(sqlite3.connect(room_sqlite)) as other:
        other.execute("SELECT count(*) FROM hand").fetchone()
        refused = tefuda("db", "restore", str(backup))
        assert (refused.status, "stop it first" in refused.errors) == (2, True)
    assert rows(app) == before


def test_a_backup_says_which_key_must_be_kept_beside_it(app: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:  # fmt: skip
    assert "TEFUDA_SECRET_KEY" in tefuda("db", "backup", str(tmp_path / "one")).errors
    said = tefuda("db", "backup", str(tmp_path / "two"), TEFUDA_SECRET_KEY="")
    assert str(tmp_path / "instance" / "secret_key") in said.errors


def test_any_server_of_wsgi_app_holds_the_lock(tmp_path: Path) -> None:
    script = "import wsgi, sys; print('ready', flush=True); sys.stdin.read()"
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "TEFUDA_INSTANCE": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environ, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(serving_lock.SiteIsServing), serving_lock.alone(tmp_path):
            pass
        process.stdin.close()
        assert process.wait(30) == 0
    with serving_lock.alone(tmp_path):
        pass
