"""Tables in time: a clock that only the test moves."""

import time

import pytest

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
    presence.HEARTBEATS.__init__()  # type: ignore[misc]  # what another test's clock has left
    return found
