"""Backup and restore on a PostgreSQL with a password, which no other user of the machine can see."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.app import close, make_app, migrate
from tests.support.command_line import CommandResult
from tests.support.fixtures.databases import PASSWORD
from tests.support.moves import dealt, finished, finished_json
from tests.support.player import Player
from tests.support.rows import findings
from webapp.services.operations import backup

pytestmark = pytest.mark.pg


def test_a_backup_and_the_way_back_with_a_password(
    guarded_pg: Callable[[str, str], str],
    tmp_path: Path,
    tefuda: Callable[..., CommandResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command lines of PostgreSQL's programs are inspected; they must not contain the password."""
    here, there, copy = guarded_pg("room", PASSWORD), guarded_pg("other", PASSWORD), str(tmp_path / "copy")
    app = make_app(here, tmp_path / "instance")
    migrate(app)
    alice = Player(app.test_client())
    dealt(alice)
    over = finished(alice)
    close(app)
    started: list[list[str]] = []
    run = subprocess.run

    def looked_at(words: list[str], **options: object) -> object:
        started.append(words)
        return run(words, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(backup.subprocess, "run", looked_at)
    made = tefuda("db", "backup", copy, TEFUDA_DATABASE_URL=here)
    assert made.status == 0, made.errors
    back = tefuda("db", "restore", copy, TEFUDA_DATABASE_URL=there)
    assert back.status == 0, back.errors
    assert [os.path.basename(words[0]) for words in started] == ["pg_dump", "pg_restore"]  # noqa: PTH119
    said = " ".join((*(word for words in started for word in words), made.out, made.errors, back.out, back.errors))
    assert PASSWORD not in said
    assert quote(PASSWORD, "") not in said
    site = make_app(there, tmp_path / "instance")
    assert finished_json(Player(site.test_client()), over)["hand"] == over
    assert findings(site) == []
    close(site)
