"""Seeded random numbers: each test draws its own, and the same ones in every run.

A hand that makes a test fail once makes it fail always. ``TEST_CHANCE=2 make test`` deals other cards to all tests: a
test that passes with one value and fails with another has an assumption that it does not state. Servers that a test
starts are seeded too (``seeded_server``), and so are the cuts of its browsers. Random numbers of the database and of
the operating system are not.
"""

import atexit
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import mkstemp
from typing import Any
from unittest.mock import patch

from webapp.services.core import randomness


class Drawn(Random):
    """A seeded replacement of the functions of ``secrets`` that the site uses."""

    token_bytes = Random.randbytes
    randbelow = Random.randrange

    def token_hex(self, size: int) -> str:
        return self.randbytes(size).hex()


class DrawnByName:
    """The same, seeded by the text of a file: when the text changes, other numbers are drawn.

    Each function has a generator of its own, so that what a timer draws does not change the cards.
    """

    def __init__(self, file: Path, start: str) -> None:
        self.file = file
        self.start = start
        self._name = ""
        self._drawn: dict[str, Drawn] = {}

    def __getattr__(self, function: str) -> Callable[..., Any]:
        name = self.file.read_text(encoding="utf-8")
        if name != self._name:
            self._name, self._drawn = name, {}
        drawn = self._drawn.setdefault(function, Drawn(f"{name} {self.start} {function}"))
        return getattr(drawn, function)  # type: ignore[no-any-return]


def _made() -> Path:
    handle, name = mkstemp(prefix="tf-chance-")
    os.close(handle)
    atexit.register(Path(name).unlink, missing_ok=True)
    return Path(name)


RUNNING = _made()
"""The file with the name of the test that runs in this process."""


@contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """Seed the random numbers of this process, and of the servers it starts, with the name of a test."""
    name = f"{name} {os.environ.get('TEST_CHANCE', '')}"
    RUNNING.write_text(name, encoding="utf-8")
    drawn = Drawn(name)
    with patch.object(randomness, "secrets", drawn), patch.object(randomness, "_RANDOM", drawn):
        yield
