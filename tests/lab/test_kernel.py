"""The kernel plays what the engine plays."""

import pytest

from tests.lab.rounds import Table

TABLES = 20
ROUNDS = 500


@pytest.mark.parametrize("part", range(2))
def test_kernel_and_engine_agree_on_what_a_round_brings_and_takes(part: int) -> None:
    """The same shoe, the same decisions, rules and strategies by chance."""
    for seed in range(part * TABLES // 2, (part + 1) * TABLES // 2):
        table = Table(seed)
        for start in range(ROUNDS):
            engine, kernel, state = table.round(start)
            assert kernel == engine, (seed, start, state)
