"""The recipes of the Makefile, run with replacements of pip and Python."""

import os
import subprocess
from pathlib import Path

from tests.support.project_files import ROOT

COMPARED = ("a2wsgi", "granian", "gunicorn", "hypercorn", "eval7", "phevaluator", "treys", "gymnasium", "rlcard")


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_bench_goes_on_without_a_library_that_cannot_be_had(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    pip = program(tmp_path / "pip", f'echo "$@" >> {asked}; case "$*" in *treys*) exit 1;; esac')
    program(tmp_path / "venv/bin/python", f"echo python $@ >> {asked}")
    venv = tmp_path / "venv"
    overrides = (f"VENV={venv}", f"PIP={pip}", "PARTS=engine", "-o", f"{venv}/.ready-dev")
    clean = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    made = subprocess.run(
        ["make", "-C", str(ROOT), "bench", *overrides], env=clean, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    *installed, measured = asked.read_text(encoding="utf-8").splitlines()
    assert [line.split()[-1] for line in installed] == list(COMPARED)
    assert measured == "python -m tests.bench engine"
    assert "without treys" in made.stdout
