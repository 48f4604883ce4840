"""Limits of the simulation of a decision: numbers of rounds, and seeds."""

from typing import Final

LIMITS: Final = {"rounds": (100, 10_000), "seed": (0, 2**63 - 1)}
ROUNDS: Final = (1_000, 2_000, 5_000, 10_000)
"""Numbers of rounds to choose from."""
DEFAULT_ROUNDS: Final = 2_000
