"""Days of the daily deals: the clock stands at nine in the morning, and the deals of a week are committed to."""

from flask import Flask

from tests.support.clock import Clock, run_timer

DAY = 86_400
MORNING = 1_795_392_000 + 9 * 3600
"""2026-11-23, nine o'clock in UTC."""


def first_morning(app: Flask, clock: Clock) -> Clock:
    """Set the clock to the first day on which there are deals."""
    clock.now = MORNING
    run_timer(app, "daily deals")
    return clock


def next_morning(app: Flask, clock: Clock, days: int = 1) -> None:
    """Let days pass."""
    clock.move(days * DAY)
    run_timer(app, "daily deals")
