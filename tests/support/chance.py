"""Chance that is the same each time: every test draws numbers of its own, and draws the same ones in every run.

A test deals other cards than its neighbours do, but a hand that fails it once fails it always. ``TEST_CHANCE=2 make test``
deals others to all of them; what passes with one value and fails with another does not say what it needs. Servers that a
test starts follow it (``seeded_server``), and so do the cuts of its browsers; the database's and the system's own chance
stays what it is.
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
    """The functions of the module ``secrets`` that the site uses."""

    token_bytes = Random.randbytes
    randbelow = Random.randrange

    def token_hex(self, size: int) -> str:
        return self.randbytes(size).hex()


class DrawnByName:
    """The same, by the name that stands in a file: from another name on, other numbers are drawn.

    Each function draws for itself. What a timer asks for then changes no cards.
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
    """Let this process, and the servers that follow it, draw what belongs to this name."""
    name = f"{name} {os.environ.get('TEST_CHANCE', '')}"
    RUNNING.write_text(name, encoding="utf-8")
    drawn = Drawn(name)
    with patch.object(randomness, "secrets", drawn), patch.object(randomness, "_RANDOM", drawn):
        yield
