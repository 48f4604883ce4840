"""Numbers of hands that a split leads to, when further cards of the pair are dealt."""

from collections import Counter
from functools import cache
from typing import NamedTuple


class Pairing(NamedTuple):
    """One way in which the second cards of the hands of a split may fall.

    again: cards of the pair that come. settled: hands with another second card. free: hands that may not be split,
    whatever their second card is.
    """

    again: int
    settled: int
    free: int


@cache
def pairings(opened: int, splits_left: int) -> Counter[Pairing]:
    """Return in how many orders of second cards each way is reached, if every pair is split again.

    Args:
        opened: hands that wait for their second card.
        splits_left: how often the box may still be split.
    """
    if not splits_left or not opened:
        return Counter({Pairing(0, 0, opened): 1})
    ways: Counter[Pairing] = Counter()
    for end, count in pairings(opened - 1, splits_left).items():
        ways[end._replace(settled=end.settled + 1)] += count
    for end, count in pairings(opened + 1, splits_left - 1).items():
        ways[end._replace(again=end.again + 1)] += count
    return ways
