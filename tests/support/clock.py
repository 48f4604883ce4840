"""A clock that stands still until the test moves it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask

from webapp.extensions import db
from webapp.services.core import clock, context
from webapp.services.core.clock import now_ms
from webapp.services.tables import housekeeping
from webapp.services.tables.live import site_beat

now = time.time


class Clock:
    """A replacement of ``time.time`` that stands still."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


def set_clock(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Shift ``time.time``, which the app, its cookie signer and its seals all use."""
    monkeypatch.setattr(time, "time", lambda: now() + seconds)


@contextmanager
def set_forward(app: Flask, monkeypatch: pytest.MonkeyPatch, seconds: int) -> Iterator[None]:
    """Anchor the clock of an app, as a process that serves does, and then set the machine's time of day forward."""
    with app.app_context():
        clock.clock().synchronize(db.engine)
        db.session.remove()
    with monkeypatch.context() as later:
        set_clock(later, seconds)
        yield
    with app.app_context():
        del context.current()._objects[clock.Clock]


def record_beat(app: Flask) -> None:
    """Record one beat of the site, as its housekeeping does every few seconds."""
    with app.app_context():
        site_beat.beat(now_ms())


def run_housekeeping(app: Flask, clock: Clock, seconds: float) -> None:
    """Let time pass with the site's housekeeping running and no request arriving."""
    while seconds > 0:
        clock.move(min(2.0, seconds))
        seconds -= 2.0
        with app.app_context():
            site_beat.beat(now_ms())
            housekeeping.catch_up_tables(now_ms())
