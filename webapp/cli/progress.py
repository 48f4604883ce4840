"""Progress of long commands on the terminal, and Ctrl-C."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

import click

SECONDS_A_LINE: Final = 10.0


@contextmanager
def noted_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Provide a function that returns True once Ctrl-C was pressed, so that work in progress can be finished.

    As an exception it could be raised in a callback that swallows it. A second Ctrl-C is an exception.
    """
    pressed = False

    def note(_signal: int, _frame: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def progress_on_stderr(rounds: int) -> AbstractContextManager[Callable[[int], None]]:
    """Provide a function to call with the number of new rounds: it moves a bar on a terminal, or prints lines."""
    return _bar(rounds) if sys.stderr.isatty() else _lines(rounds)


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the speed and the remaining time."""
    began, done = time.monotonic(), 0
    bar = click.progressbar(length=rounds, label="rounds", file=sys.stderr, item_show_func=lambda rate: rate or "")

    def advance(more: int) -> None:
        nonlocal done
        done += more
        bar.update(more, f"{done / (time.monotonic() - began) / 1e6:.1f} million a second")

    with bar:
        yield advance


def time_of(seconds: float) -> str:
    """Return a duration in the largest unit of which there are at least two."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


@contextmanager
def _lines(rounds: int) -> Iterator[Callable[[int], None]]:
    """Print a line from time to time."""
    began, last, done = time.monotonic(), 0.0, 0

    def advance(more: int) -> None:
        nonlocal last, done
        done += more
        now = time.monotonic()
        if now - last > SECONDS_A_LINE:
            last, rate = now, done / (now - began)
            left = time_of((rounds - done) / rate)
            click.echo(f"{done:,} of {rounds:,} rounds, {rate / 1e6:.1f} million a second, {left} to go", err=True)

    yield advance
