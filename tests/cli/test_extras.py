"""Optional packages that are missing are named with the command that installs them from the checkout."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from tests.support.command_line import CommandResult

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"


def line(extra: str) -> str:
    return f".venv/bin/pip install -c constraints.txt -e '.[{extra}]'"


def test_without_its_driver_postgresql_is_asked_for_in_vain(
    tefuda: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    said = tefuda("audit", TEFUDA_DATABASE_URL="postgresql://nobody@nowhere/nothing")
    assert (said.status, line("postgres") in said.errors) == (2, True)
    assert line("postgres") in OPERATIONS.read_text("utf-8")


def test_the_lab_and_the_cluster_too(
    app: Flask, tefuda: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = tefuda("lab", "run", "--rounds", "10", "--scheduler", "tcp://127.0.0.1:1")
    assert (said.status, line("cluster") in said.errors) == (2, True)
    for module in ("webapp.cli.lab", "webapp.services.lab.jobs"):  # not by attribute: the command has the same name
        monkeypatch.setattr(sys.modules[module], "is_equipped", lambda: False)
    said = tefuda("lab", "run", "--rounds", "10")
    assert (said.status, line("lab") in said.errors) == (2, True)
    assert line("lab") in app.test_client().get("/lab").get_data(as_text=True).replace("&#39;", "'")
