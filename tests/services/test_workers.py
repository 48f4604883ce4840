"""Pools of workers: turns, places, limits of time, crashes, and what a worker is not given."""

import math
import multiprocessing
import operator
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

import pytest

from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.services.core.worker_process import DATABASE, END, KEYS, Overrun, TaskFailed
from webapp.services.lab.pool import play
from webapp.services.team import team_here
from webapp.services.workers import LOSSES, Full, Places, Pool

EXPERIMENT = Experiment(
    Scenario(PRESETS["vegas"], strategy_by_name("basic", PRESETS["vegas"])), 95_000, 3, chunk=10_000
)
ALICE, BOB, CAROL = ("1.1.1.1", "alice"), ("1.1.1.1", "bob"), ("2.2.2.2", "carol")
MORE_THAN_A_PIPE_HOLDS = 200_000
SECRET = "nothing for children"


# Tasks


def wait_for(gate: str) -> None:
    while not Path(gate).exists():
        time.sleep(0.01)


def note(name: str, log: str) -> None:
    with Path(log).open("a") as file:
        file.write(f"{name}\n")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(mark: str) -> int:
    if not Path(mark).exists():
        Path(mark).touch()
        die()
    return os.getpid()


def burn() -> None:
    while True:
        pass


def hear_nothing(begun: str) -> None:
    """Be as deaf to signals as code outside of Python."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {END})
    Path(begun).touch()
    time.sleep(600)


def fail() -> None:
    raise ValueError("the dealer holds Ah")


def environment() -> tuple[bytes, int, bool]:
    """Return the environment with which the process began, its niceness, and whether it has loaded Flask."""
    import sys

    return Path("/proc/self/environ").read_bytes(), os.getpriority(os.PRIO_PROCESS, 0), "flask" in sys.modules


@pytest.fixture
def asker() -> list[tuple[str, str]]:
    """Who asks now."""
    return [ALICE]


@pytest.fixture
def pool(asker: list[tuple[str, str]]) -> Iterator[Pool]:
    with Pool(1, nice=3, who=lambda: asker[0]) as made:
        yield made


def test_a_worker_has_no_key_no_database_and_a_lower_priority(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, *DATABASE):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("TEFUDA_OTHER", "stays")
    before = dict(os.environ)
    multiprocessing.forkserver._forkserver._stop()  # type: ignore[attr-defined]  # so that it begins with these
    environ, nice, has_flask = pool.submit(environment).result()
    assert SECRET.encode() not in environ and b"TEFUDA_OTHER=stays" in environ
    assert nice == min(os.getpriority(os.PRIO_PROCESS, 0) + 3, 19)
    assert not has_flask
    assert dict(os.environ) == before
    for entry in Path("/proc").glob("[0-9]*/stat"):
        if f" {os.getpid()} " in entry.read_text().rpartition(")")[2]:
            assert SECRET.encode() not in (entry.parent / "environ").read_bytes()


def test_tasks_are_taken_in_turns_by_address_and_by_visitor(
    pool: Pool, asker: list[tuple[str, str]], tmp_path: Path
) -> None:
    """Alice has asked for four things before anybody else came."""
    gate, log = tmp_path / "gate", tmp_path / "log"
    log.touch()
    begun = pool.ask(partial(wait_for, str(gate)), 60)
    asked = []
    for who, name in ((ALICE, "a1"), (ALICE, "a2"), (ALICE, "a3"), (BOB, "b1"), (BOB, "b2"), (CAROL, "c1")):
        asker[0] = who
        asked.append(pool.ask(partial(note, name, str(log)), 60))
    gate.touch()
    for task in (begun, *asked):
        task.result(60)
    assert log.read_text().split() == ["c1", "b1", "a1", "b2", "a2", "a3"]


@pytest.mark.parametrize(
    ("places", "who", "others"),
    [
        (Places(all=9, address=9, visitor=3), ALICE, [BOB, CAROL]),
        (Places(all=9, address=3, visitor=9), BOB, [CAROL]),
        (Places(all=3, address=9, visitor=9), ALICE, []),
    ],
)
def test_nobody_takes_all_places(
    places: Places, who: tuple[str, str], others: list[tuple[str, str]], tmp_path: Path
) -> None:
    gate, asker = str(tmp_path / "gate"), [who]
    with Pool(1, places=places, who=lambda: asker[0]) as pool:
        tasks = [pool.ask(partial(wait_for, gate), 60) for _ in range(3)]
        for refused in {ALICE, BOB, CAROL} - set(others) - ({BOB} if who == ALICE and places.address == 9 else set()):
            asker[0] = refused if places.all == 3 else who
            with pytest.raises(Full):
                pool.ask(partial(wait_for, gate), 60)
        for other in others:
            asker[0] = other
            pool.ask(partial(wait_for, gate), 60)
        assert tasks[2].cancel()
        asker[0] = who
        tasks[2] = pool.ask(partial(wait_for, gate), 60)  # the place of what was given up is free again
        Path(gate).touch()
        for task in tasks:
            task.result(60)


def test_long_tasks_leave_a_process_to_short_ones(tmp_path: Path) -> None:
    gate = str(tmp_path / "gate")
    with Pool(2) as pool:
        long = [pool.ask(partial(wait_for, gate), 60, is_long=True) for _ in range(3)]
        assert pool.ask(os.getpid, 60).result(60)
        assert not any(task.done() for task in long)
        Path(gate).touch()
        for task in long:
            task.result(60)


def test_a_task_that_takes_too_long_ends_and_the_process_goes_on(pool: Pool) -> None:
    """Processor time counts: a task is not given up because the machine is busy."""
    process = pool.submit(os.getpid).result(60)
    with pytest.raises(Overrun):
        pool.ask(burn, 0.1).result(60)
    pool.ask(partial(time.sleep, 0.3), 0.1).result(60)
    assert pool.submit(os.getpid).result(60) == process


def test_a_task_that_stands_still_ends_with_its_process(pool: Pool) -> None:
    process = pool.submit(os.getpid).result(60)
    with pytest.raises(BrokenProcessPool):
        pool.ask(partial(time.sleep, 600), 0.02).result(60)
    assert pool.submit(os.getpid).result(60) != process


def test_an_error_says_where_it_was_and_nothing_of_what_it_said(pool: Pool) -> None:
    with pytest.raises(TaskFailed, match=r"ValueError in .*test_workers") as failed:
        pool.ask(fail, 60).result(60)
    assert "Ah" not in str(failed.value)


@pytest.mark.parametrize("others", [0, 3])
def test_a_process_that_dies_is_replaced_and_its_task_is_done_again(pool: Pool, tmp_path: Path, others: int) -> None:
    task = pool.ask(partial(die_once, str(tmp_path / "mark")), 60)
    after = [pool.ask(partial(math.sqrt, number), 60) for number in range(others)]
    assert task.result(60) and [each.result(60) for each in after] == [math.sqrt(n) for n in range(others)]


def test_a_task_that_always_kills_its_process_is_given_up_and_the_next_one_is_done(pool: Pool) -> None:
    with pytest.raises(BrokenProcessPool):
        pool.ask(die, 60).result(60)
    assert LOSSES > 1 and pool.ask(partial(math.sqrt, 4), 60).result(60) == 2


def test_processes_end_when_there_is_nothing_to_do_and_begin_again() -> None:
    with Pool(1, idle=0.05) as pool:
        process = pool.submit(os.getpid).result(60)
        deadline = time.monotonic() + 30
        while Path(f"/proc/{process}").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert pool.submit(os.getpid).result(60) != process


def test_a_pool_that_is_stopped_ends_its_processes_and_cancels_its_tasks(tmp_path: Path) -> None:
    gate, before = str(tmp_path / "gate"), set(threading.enumerate())
    pool = Pool(1)
    process = pool.submit(os.getpid).result(60)
    tasks = [pool.ask(partial(wait_for, gate), 60) for _ in range(2)]
    pool.stop()
    for task in tasks:
        with pytest.raises(CancelledError):
            task.result(60)
    assert not multiprocessing.active_children() or not Path(f"/proc/{process}").exists()
    assert set(threading.enumerate()) <= before
    assert pool.ask(partial(math.sqrt, 4), 60).result(60) == 2
    pool.stop()


def test_a_pool_ends_while_its_processes_hand_on_results() -> None:
    """A process that was killed then left half a result behind, and the pool waited for the rest without end."""
    for number in range(20):
        with Pool(2) as pool:
            asked = [pool.submit(operator.mul, "x", MORE_THAN_A_PIPE_HOLDS) for _ in range(40)]
            asked[number].result(60)


def test_a_process_that_does_not_hear_of_the_end_is_killed(pool: Pool, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    task = pool.ask(partial(hear_nothing, str(begun)), 600)
    while not begun.exists():
        time.sleep(0.01)
    pool.stop()
    with pytest.raises(CancelledError):
        task.result(60)


def test_chunks_come_in_order_and_a_worker_that_dies_is_replaced(pid_of: Callable[[Pool], int]) -> None:
    """A worker is killed half-way, with chunks in progress and chunks that wait."""
    alone = [play_chunk(EXPERIMENT, number).results for number in range(EXPERIMENT.chunks)]
    with team_here(2) as team:
        results = []
        for chunk in team.in_order(play, ((EXPERIMENT, number) for number in range(EXPERIMENT.chunks))):
            results.append(chunk.results)
            if len(results) == 4:
                assert isinstance(team.executor, Pool)
                os.kill(pid_of(team.executor), signal.SIGKILL)
        assert results == alone
        again = team.in_order(play, [(EXPERIMENT, 7), (EXPERIMENT, 8)])
        assert [chunk.results for chunk in again] == alone[7:9]


@pytest.fixture
def pid_of() -> Callable[[Pool], int]:
    """Return a function that returns a process of a pool."""
    return lambda pool: pool.submit(os.getpid).result(60)


def test_no_call_is_begun_after_the_stop_but_one_at_least() -> None:
    with team_here(1) as team:
        assert list(team.in_order(math.sqrt, ((number,) for number in range(9)), lambda: True)) == [0.0]


def test_while_a_result_takes_long_on_idle_is_called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("webapp.services.team.IDLE_SECONDS", 0.02)
    gate = tmp_path / "gate"
    with team_here(1) as team:
        list(team.in_order(wait_for, [(str(gate),)], on_idle=gate.touch))
    assert gate.exists()
