"""A clock that stands still until the test moves it, and the timer of a site whose threads do not run."""

import time

import pytest
from flask import Flask

from webapp.services import timer
from webapp.services.core import clock
from webapp.services.tables import gaps

now = time.time
stopwatch_ms = clock.stopwatch_ms

FOR_TABLES = ("time of day", "clocks", "heartbeats", "absent players")


class Clock:
    """Replaces ``time.time`` and the stopwatch of ``services/core/clock.py``. Both stand still."""

    def __init__(self) -> None:
        self.now = time.time()
        self.elapsed = 0.0

    def __call__(self) -> float:
        return self.now

    def stopwatch_ms(self) -> int:
        return int(1000 * self.elapsed)

    def move(self, seconds: float) -> None:
        """Let time pass; back and forth, if the machine's time of day was set back before."""
        self.now += seconds
        self.elapsed += seconds

    def set(self, seconds: float) -> None:
        """Set the machine's time of day by so much. No time passes."""
        self.now += seconds


def set_clock(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Set the time of day: shift ``time.time``, which the app, its cookie signer and its seals all use."""
    monkeypatch.setattr(time, "time", lambda: now() + seconds)


def be_later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """Let so much time have passed since the test began."""
    set_clock(monkeypatch, seconds)
    monkeypatch.setattr(clock, "stopwatch_ms", lambda: stopwatch_ms() + 1000 * seconds)


def run_timer(app: Flask, *names: str) -> None:
    """Do jobs of the site's timer: by default all for tables that it has done by now if it was running all the time."""
    site_timer = app.extensions["timer"]
    for job in (*site_timer.quick, *site_timer.slow):
        if job.name in (names or FOR_TABLES):
            with app.app_context():
                timer._do(job)


def run_timer_for(app: Flask, clock: Clock, seconds: float) -> None:
    """Let time pass with the timer running and no request arriving."""
    while seconds > 0:
        clock.move(min(2.0, seconds))
        seconds -= 2.0
        run_timer(app)


def start_again(app: Flask) -> None:
    """Do what the timer of a process does first: the site may have been down, or the time of day may have been set."""
    with app.app_context():
        gaps.look()
        gaps._last_look().at = None  # from now on the test itself lets time pass
