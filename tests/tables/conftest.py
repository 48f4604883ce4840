"""Tables in time: a clock that only the test moves."""

import time

import pytest
from flask import Flask
from jinja2 import BytecodeCache, FileSystemBytecodeCache

from webapp.services.tables import presence


class Clock:
    """``time.time`` of the house; it stands still."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(time, "time", found)
    presence.SIGNS.__init__()  # type: ignore[misc]  # what another test's clock has left
    return found


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> BytecodeCache:
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("compiled")))


@pytest.fixture
def app(app: Flask, compiled: BytecodeCache) -> Flask:
    app.jinja_env.bytecode_cache = compiled
    return app
