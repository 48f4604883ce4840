"""Whole percentages shown beside each other add up to a hundred."""

from hypothesis import given
from hypothesis import strategies as st

from webapp.web.templating.charts import percentages


def test_what_rounding_alone_would_make_101_is_100() -> None:
    assert percentages((12, 3, 36)) == (23, 6, 71)


def test_the_largest_remainder_is_rounded_up_first() -> None:
    assert percentages((1, 1, 1)) == (34, 33, 33)
    assert percentages((20, 3, 28)) == (39, 6, 55)


def test_of_nothing_there_are_no_percentages() -> None:
    assert percentages((0, 0)) == (0, 0)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6).filter(any))
def test_they_sum_to_a_hundred_and_each_is_off_by_less_than_one(counts: list[int]) -> None:
    found = percentages(counts)
    assert sum(found) == 100
    assert all(abs(part - 100 * count / sum(counts)) < 1 for part, count in zip(found, counts, strict=True))
