"""Random values from the operating system. No other module of the site draws any."""

import secrets
from typing import Final

from webapp.engine.shuffling import SEED_BYTES

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that are not taken for one another."""
_RANDOM: Final = secrets.SystemRandom()


def new_seed() -> bytes:
    """Return the seed of a hand, a shoe or a round."""
    return secrets.token_bytes(SEED_BYTES)


def new_key(length: int = 10) -> str:
    """Return an unguessable key, one of 62 ** ``length``."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def new_code(length: int = 6) -> str:
    """Return a code that is easy to read aloud and to type."""
    return "".join(secrets.choice(_CODE_ALPHABET) for _ in range(length))


def new_simulation_seed() -> int:
    """Return a random seed for a simulation, from 0 to 999,999,999."""
    return secrets.randbelow(10**9)


def new_reference() -> str:
    """Return a random reference, by which an error can be found in the log."""
    return secrets.token_hex(4)


def pick(count: int) -> int:
    """Return a random number from 0 to below ``count``."""
    return secrets.randbelow(count)


def jitter(most: float) -> float:
    """Return a random number from 0 to ``most``, by which to spread events that would otherwise coincide."""
    return _RANDOM.uniform(0.0, most)
