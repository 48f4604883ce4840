"""A cache of bounded size."""

import pytest

from webapp.services.core.cache import Cache


def test_a_full_cache_forgets_what_was_not_asked_for_the_longest() -> None:
    made = list[int]()

    def square(number: int) -> int:
        made.append(number)
        return number * number

    cache = Cache[int, int](2)
    answers = [cache.get(number, lambda number=number: square(number)) for number in (1, 2, 1, 3, 1, 2)]
    assert answers == [1, 4, 1, 9, 1, 4]
    assert made == [1, 2, 3, 2]


def test_a_cache_does_not_remember_an_error() -> None:
    cache = Cache[str, int](2)
    with pytest.raises(ValueError, match="invalid literal"):
        cache.get("key", lambda: int("none"))
    assert cache.get("key", lambda: 1) == 1
