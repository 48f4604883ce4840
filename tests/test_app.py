"""The app factory: each app has objects of its own."""

import gc
import re
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.project_files import ROOT
from webapp.services.fairness.sealing import SealedSeedError, sealer

OF_LIBRARIES = {"sqlalchemy", "limiter"}
"""What extensions of Flask put there."""


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Flask, Flask]]:
    """Two apps in one process, each with its own key and database."""
    environ = {"TEFUDA_METRICS_TOKEN": "a token for tests, and no other"}
    one = make_app(f"sqlite:///{tmp_path / 'one.sqlite3'}", tmp_path, **environ)
    key = {"TEFUDA_SECRET_KEY": "another key of 32 characters or more"}
    other = make_app(f"sqlite:///{tmp_path / 'other.sqlite3'}", tmp_path, **environ, **key)
    yield one, other
    close(one)
    close(other)


def test_two_apps_in_one_process_share_nothing(two: tuple[Flask, Flask]) -> None:
    one, other = two
    assert one.extensions.keys() == other.extensions.keys()
    shared = {name for name in one.extensions if one.extensions[name] is other.extensions[name]}
    assert shared == {"sqlalchemy"}, "which keeps an engine for each app"


def test_what_is_looked_up_in_an_app_is_made_by_the_factory_and_nothing_else(two: tuple[Flask, Flask]) -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "webapp").rglob("*.py") if path.name != "app.py"]
    looked_up = {name for text in sources for name in re.findall(r'\bextensions(?:\[|\.get\()"(\w+)"', text)}
    assert two[0].extensions.keys() - OF_LIBRARIES == looked_up


def test_an_app_cannot_open_what_another_has_sealed(two: tuple[Flask, Flask]) -> None:
    one, other = two
    with one.app_context():
        sealed = sealer().seal("hand", "player", bytes(32))
        with other.app_context(), pytest.raises(SealedSeedError):
            sealer().unseal(sealed, "hand", "player")
        assert sealer().unseal(sealed, "hand", "player") == bytes(32), "the outer context is current again"


def test_an_app_that_nobody_has_any_more_is_not_kept(tmp_path: Path) -> None:
    app = make_app(f"sqlite:///{tmp_path / 'gone.sqlite3'}", tmp_path)
    assert app.test_client().get("/about").status_code == 200
    close(app)
    left = weakref.ref(app)
    del app
    gc.collect()
    assert left() is None
