"""Chance that is the same each time: every test draws numbers of its own, and draws the same ones in every run.

A test deals other cards than its neighbours do, but a hand that fails it once fails it always. ``TEST_CHANCE=2 make test``
deals others to all of them; what passes with one value and fails with another does not say what it needs. Servers and
other processes that a test starts draw from the operating system, as they do for everybody.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

from webapp.services.core import randomness


class Drawn(Random):
    """The functions of the module ``secrets`` that the site uses."""

    token_bytes = Random.randbytes
    randbelow = Random.randrange

    def token_hex(self, size: int) -> str:
        return self.randbytes(size).hex()


@contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """Let this process draw what belongs to this name."""
    drawn = Drawn(f"{name} {os.environ.get('TEST_CHANCE', '')}")
    with patch.object(randomness, "secrets", drawn), patch.object(randomness, "_RANDOM", drawn):
        yield
