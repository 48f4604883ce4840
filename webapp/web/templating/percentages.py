"""Whole percentages of counts, as pages print them."""

from collections.abc import Sequence


def percentages(counts: Sequence[int]) -> tuple[int, ...]:
    """Return whole percentages of the counts that sum to 100, by largest remainder; all zero if there is nothing."""
    total = sum(counts)
    if not total:
        return (0,) * len(counts)
    whole = [100 * count // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda place: (-(100 * counts[place] % total), place))
    for place in by_remainder[: 100 - sum(whole)]:
        whole[place] += 1
    return tuple(whole)
