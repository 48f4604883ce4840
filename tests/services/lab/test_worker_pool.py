"""The pool of worker processes: chunks in order, whichever process dies."""

import os
import signal
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from tests.support.lab_work import InlineExecutor
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.strategy.by_name import strategy_by_name
from webapp.services.lab.worker_pool import ChunkPool

EXPERIMENT = Experiment(
    Scenario(PRESETS["vegas"], strategy_by_name("basic", PRESETS["vegas"])), 95_000, 3, chunk=10_000
)


def test_chunks_come_in_order_and_a_worker_that_dies_is_replaced() -> None:
    """A worker is killed half-way, with two chunks in progress and two waiting."""
    alone = [play_chunk(EXPERIMENT, number).results for number in range(EXPERIMENT.chunks)]
    with ChunkPool(2) as pool:
        results = []
        for chunk in pool.play(EXPERIMENT, 0, EXPERIMENT.chunks):
            results.append(chunk.results)
            if len(results) == 4:
                for process in list(pool._executor._processes.values()):
                    os.kill(process.pid, signal.SIGKILL)
        assert results == alone
        assert [chunk.results for chunk in pool.play(EXPERIMENT, 7, 9)] == alone[7:9]


def test_while_a_long_chunk_is_played_on_idle_is_called() -> None:
    """The first chunk takes longer than ``idle_seconds``, since the processes are still starting."""
    calls: list[int] = []
    with ChunkPool(1) as pool:
        (chunk,) = pool.play(EXPERIMENT, 0, 1, on_idle=lambda: calls.append(1), idle_seconds=0.02)
    assert chunk.results == play_chunk(EXPERIMENT, 0).results
    assert calls


def test_a_pool_that_always_breaks_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Doomed(InlineExecutor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            raise BrokenProcessPool

    monkeypatch.setattr(ChunkPool, "_start", lambda self: Doomed())
    with ChunkPool(2) as pool, pytest.raises(BrokenProcessPool):
        next(pool.play(EXPERIMENT, 0, 2))
