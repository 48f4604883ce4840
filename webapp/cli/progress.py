"""What a long command says while it is at work, and how it hears that it is to end."""

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
    """Whether it was pressed. The first one is only noted, and what is in hand is finished: as an exception it could
    fall into a callback that passes none on, and be lost. The second one is an exception."""
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


def told_on_stderr(rounds: int) -> AbstractContextManager[Callable[[int], None]]:
    """To be called with the number of rounds that have come; a bar on a terminal, lines elsewhere."""
    return _bar(rounds) if sys.stderr.isatty() else _lines(rounds)


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int], None]]:
    """How far it is, how fast, and how long to go; told how many rounds have come."""
    began, done = time.monotonic(), 0
    bar = click.progressbar(length=rounds, label="rounds", file=sys.stderr, item_show_func=lambda rate: rate or "")

    def tell(more: int) -> None:
        nonlocal done
        done += more
        bar.update(more, f"{done / (time.monotonic() - began) / 1e6:.1f} million a second")

    with bar:
        yield tell


def time_of(seconds: float) -> str:
    """In the largest unit of which there are two."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.0f} s"


@contextmanager
def _lines(rounds: int) -> Iterator[Callable[[int], None]]:
    """The same for a file: a line now and then."""
    began, last, done = time.monotonic(), 0.0, 0

    def tell(more: int) -> None:
        nonlocal last, done
        done += more
        now = time.monotonic()
        if now - last > SECONDS_A_LINE:
            last, rate = now, done / (now - began)
            left = time_of((rounds - done) / rate)
            click.echo(f"{done:,} of {rounds:,} rounds, {rate / 1e6:.1f} million a second, {left} to go", err=True)

    yield tell
