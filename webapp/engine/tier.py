"""How great a win is, so that a royal flush does not look like a pair of twos."""

from enum import IntEnum


class Tier(IntEnum):
    """Tiers of wins. Each game says which of its wins are what; a game that does not has only even ones."""

    EVEN = 0
    """Nothing was won, or little: a pair, the bet back."""
    GOOD = 1
    """A usual win."""
    GREAT = 2
    """A rare one, once in an evening."""
    GREATEST = 3
    """One that is remembered."""
