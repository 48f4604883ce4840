"""Where chance comes from: the operating system, and nowhere else."""

import secrets
from typing import Final

from webapp.engine.shuffling import SEED_BYTES

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def new_key(length: int = 10) -> str:
    """A name nobody guesses: 62 to the power of 10 possible ones."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))
