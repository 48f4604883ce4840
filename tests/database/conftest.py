"""The command line, run as a stranger would run it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import KEY


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
def tefuda(tmp_path: Path) -> Callable[..., Said]:
    """``tefuda("audit")``, on the SQLite database that ``app`` uses; settings as keywords."""

    def run(*words: str, stdin: str = "", **environ: str) -> Said:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("TEFUDA_")}
        settings = {
            "TEFUDA_INSTANCE": str(tmp_path / "instance"),
            "TEFUDA_DATABASE_URL": f"sqlite:///{tmp_path / 'room.sqlite3'}",
            "TEFUDA_SECRET_KEY": KEY,
        }
        done = subprocess.run(
            [str(Path(sys.executable).with_name("tefuda")), *words],
            env={**clean, **settings, **environ},
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Said(done.returncode, done.stdout, done.stderr)

    return run
