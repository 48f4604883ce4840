"""The tier of a win, from 0 to 3: pages show a royal flush with more effect than a pair of twos."""

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


def tier_with_purse(tier: Tier, start: int, before: int, now: int, peak: int) -> Tier:
    """Return the tier of a win that has brought a purse from ``before`` to ``now`` chips; ``start``: its first chips.

    A purse that is larger than ever, and has just passed twice, four times, eight times its start, is a great win.
    """
    if now < peak or _doublings(now, start) <= _doublings(before, start):
        return tier
    return max(tier, Tier.GREAT)


def _doublings(purse: int, start: int) -> int:
    """Return how many times the start of a purse has doubled; 0 for less than twice."""
    return max(1, (purse // start).bit_length()) - 1
