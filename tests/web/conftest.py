"""For the many tests of the web: templates are compiled once, and a house may be shared."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import BytecodeCache, FileSystemBytecodeCache

from tests.conftest import close, make_app
from tests.web.player import Player


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("compiled")))


@pytest.fixture
def app(app: Flask, compiled: BytecodeCache) -> Flask:
    app.jinja_env.bytecode_cache = compiled
    return app


@pytest.fixture(scope="module")
def house(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory, compiled: BytecodeCache) -> Iterator[Flask]:
    """One app, on SQLite, for all tests of a module that only need a player who is new to it."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copy(blank_sqlite, folder / "room.sqlite3")
    house = make_app(f"sqlite:///{folder / 'room.sqlite3'}", folder)
    house.jinja_env.bytecode_cache = compiled
    yield house
    close(house)


@pytest.fixture
def guest(house: Flask) -> Player:
    """Somebody new to the house."""
    return Player(house.test_client())
