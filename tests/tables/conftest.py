"""A clock that only the test moves."""

import time

import pytest
from flask import Flask

from webapp.services.tables import presence


class Clock:
    """A replacement of ``time.time`` that stands still."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    with app.app_context():
        presence.heartbeats().__init__()  # type: ignore[misc]  # what another test's clock has left
    return clock
