"""Progress of a long command on stderr, and how Ctrl-C ends it."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

import click

SECONDS_A_LINE: Final = 10.0


@contextmanager
def remember_ctrl_c() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True once Ctrl-C was pressed.

    The first Ctrl-C is only remembered, and the current work is finished: as an exception it could be raised inside a
    callback that swallows it. The second one raises KeyboardInterrupt.
    """
    pressed = False

    def remember(_signal: int, _frame: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


def progress_on_stderr(rounds: int) -> AbstractContextManager[Callable[[int], None]]:
    """Yield a function to be called with the number of further rounds: it shows a bar, or lines without a terminal."""
    return _bar(rounds) if sys.stderr.isatty() else _lines(rounds)


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int], None]]:
    """Show rounds, speed and the time to go as a bar."""
    began, done = time.monotonic(), 0
    bar = click.progressbar(length=rounds, label="rounds", file=sys.stderr, item_show_func=lambda rate: rate or "")

    def advance(more: int) -> None:
        nonlocal done
        done += more
        bar.update(more, f"{done / (time.monotonic() - began) / 1e6:.1f} million a second")

    with bar:
        yield advance


def format_seconds(seconds: float) -> str:
    """Return a time in the largest unit of which there are at least two."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


@contextmanager
def _lines(rounds: int) -> Iterator[Callable[[int], None]]:
    """Show rounds, speed and the time to go as a line from time to time."""
    began, last_line, done = time.monotonic(), 0.0, 0

    def advance(more: int) -> None:
        nonlocal last_line, done
        done += more
        now = time.monotonic()
        if now - last_line > SECONDS_A_LINE:
            last_line, rate = now, done / (now - began)
            left = format_seconds((rounds - done) / rate)
            click.echo(f"{done:,} of {rounds:,} rounds, {rate / 1e6:.1f} million a second, {left} to go", err=True)

    yield advance
