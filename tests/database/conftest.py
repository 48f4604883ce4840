"""The command line, as whoever types it sees it; in this process, because a new one takes a second to start."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from tests.conftest import KEY, close
from webapp.cli import app, main


@dataclass(frozen=True)
class Said:
    """``status``: 0 right, 1 found wrong, 2 used wrongly."""

    status: int
    out: str
    errors: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def tefuda(room_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """``tefuda("audit")``, on the SQLite database that ``app`` uses; settings as keywords."""
    opened: list[Flask] = []
    create = app.create_app

    def create_app(environ: Any = None) -> Flask:
        opened.append(create(environ))
        return opened[-1]

    def run(*words: str, **environ: str) -> Said:
        settings = {
            "TEFUDA_INSTANCE": str(tmp_path / "instance"),
            "TEFUDA_DATABASE_URL": f"sqlite:///{room_sqlite}",
            "TEFUDA_SECRET_KEY": KEY,
        }
        done = CliRunner().invoke(main, list(words), env={**settings, **environ}, prog_name="tefuda")
        while opened:
            close(opened.pop())
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Said(done.exit_code, done.stdout, done.stderr)

    monkeypatch.setattr(app, "create_app", create_app)
    assert not any(name.startswith("TEFUDA_") and name != "TEFUDA_REQUIRE_PG" for name in os.environ)
    return run
