"""Telling memory growth from noise."""

import pytest

from tests.bench.memory import growth

HANDS = range(10_000, 20_001, 1_000)


def test_what_grows_evenly_is_all_growth() -> None:
    row = growth([(hands, 120 + hands / 1_000) for hands in HANDS])
    assert row["growth MB"] == pytest.approx(10)
    assert row["give or take MB"] == pytest.approx(0, abs=1e-6)
    assert (row["least MB"], row["most MB"]) == (130, 140)


def test_what_goes_up_and_down_is_noise() -> None:
    row = growth([(hands, 120 + 3 * (number % 2)) for number, hands in enumerate(HANDS)])
    assert row["growth MB"] == pytest.approx(0, abs=1e-6)
    assert 3 < float(row["give or take MB"]) < 10
