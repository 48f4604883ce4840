"""Processes at work: in order, whoever dies; the command line; and the site with its foreman."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import Server
from tests.web.player import Player
from webapp.cli import main
from webapp.cli.progress import time_of
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.named_strategies import strategy_by_name
from webapp.engine.simulation.strategy_csv import dumps
from webapp.services.lab.pool import ChunkPool

PLAN = Experiment(Scenario(PRESETS["vegas"], strategy_by_name("basic", PRESETS["vegas"])), 95_000, 3, chunk=10_000)


def test_chunks_come_in_order_and_a_worker_that_dies_is_replaced() -> None:
    """Killed with half of it done; before that, the crew has two at work and two more in hand."""
    alone = [play_chunk(PLAN, number).tallies for number in range(PLAN.chunks)]
    with ChunkPool(2) as crew:
        found = []
        for chunk in crew.play(PLAN, 0, PLAN.chunks):
            found.append(chunk.tallies)
            if len(found) == 4:
                for process in list(crew._executor._processes.values()):
                    os.kill(process.pid, signal.SIGKILL)
        assert found == alone
        assert [chunk.tallies for chunk in crew.play(PLAN, 7, 9)] == alone[7:9]


def test_a_long_chunk_is_waited_for_and_meanwhile_something_else_is_done() -> None:
    """One that takes longer than ``every``: here the first one does, since the processes are only starting."""
    done: list[int] = []
    with ChunkPool(1) as crew:
        (chunk,) = crew.play(PLAN, 0, 1, meanwhile=lambda: done.append(1), every=0.02)
    assert chunk.tallies == play_chunk(PLAN, 0).tallies
    assert done


def test_a_crew_that_always_dies_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from concurrent.futures.process import BrokenProcessPool

    from tests.lab.work import Inline

    class Doomed(Inline):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
            raise BrokenProcessPool

    monkeypatch.setattr(ChunkPool, "_new", lambda self: Doomed())
    with ChunkPool(2) as crew, pytest.raises(BrokenProcessPool):
        next(crew.play(PLAN, 0, 2))


# ------------------------------------------------------------------------------------------------ the command


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from webapp.cli import main; main()", "lab", *words]


def run(*words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=120)
    assert done.returncode == status, done.stderr
    return done


def here(*words: str, status: int = 0) -> str:
    """What the command says, asked in this process: nothing is spent on starting another."""
    done = CliRunner().invoke(main, ["lab", *words])
    assert done.exit_code == status, done.output
    return done.output if status else done.stdout


def test_any_number_of_processes_comes_to_the_same_figures() -> None:
    words = ("run", "--table", "downtown", "--rounds", "2e5", "--seed", "9", "--chunk", "30000", "--json")
    one, two = json.loads(here(*words, "--workers", "1")), json.loads(run(*words, "--workers", "2").stdout)
    speeds = one.pop("rounds_per_second"), two.pop("rounds_per_second")
    assert one == two
    assert min(speeds) > 0
    assert one["rounds"] == 200_000
    assert {"mean", "standard_error", "interval95", "standard_deviation", "rates"} <= set(one)


def test_the_exercise_on_the_command_line_is_that_of_the_page() -> None:
    told = json.loads(here("exercise", "--seed", "7", "--json"))
    assert (len(told["games"]), told["total"]) == (12, -8)
    assert set(told["games"][0]) == {"player", "dealer", "player_total", "dealer_total", "score", "label"}
    assert here("exercise", "--seed", "7", "--csv").count("\n") == 13
    assert "sum -8" in here("exercise", "--seed", "7")


@pytest.mark.parametrize(
    "words, says",
    [
        (("run", "--rounds", "0"), "rounds must be from 1"),
        (("run", "--rounds", "-1"), "whole number"),
        (("run", "--rounds", "1e30"), "rounds must be from 1"),
        (("run", "--rounds", "many"), "whole number"),
        (("run", "--table", "vegas,decks=9"), "no such rule"),
        (("run", "--strategy", "stand-99"), "no such strategy"),
        (
            ("run", "--strategy", "SHEET"),
            "wrong.csv: Line 3, column 2: “X” stands where one of S H Dh Ds Rh Rs must be.",
        ),
        (("run", "--strategy", "SHEET.LONG"), "wrong.csv: This file is too long for a table: 10000000 bytes."),
        (("run", "--strategy", "SHEET.UTF-16"), "wrong.csv: Line 1, column 1: This is not UTF-8 text"),
        (("run", "--other-strategy", "SHEET.HOLE"), "wrong.csv: Line 3: The table has no line for 7, 8"),
        (("run", "--strategy", "nowhere.csv"), "cannot be read"),
        (("run", "--workers", "0"), "workers"),
        (("run", "--seed", "-1"), "seed"),
        (("exercise", "--seed", "1", "--games", "0"), "games must be from"),
        (("exercise", "--seed", "1", "--decks", "9"), "decks must be from"),
    ],
)
def test_what_cannot_be_simulated_is_used_wrongly(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    lines = dumps(PLAN.side.strategy).splitlines()
    sheets = {
        "SHEET": "\n".join((*lines[:2], "5" + ",X" * 10, *lines[3:])).encode(),
        "SHEET.LONG": b"x" * 10_000_000,
        "SHEET.UTF-16": "\n".join(lines).encode("utf-16"),
        "SHEET.HOLE": "\n".join((*lines[:2], lines[3])).encode(),
    }
    sheet = tmp_path / "wrong.csv"
    for word in {*words} & {*sheets}:
        sheet.write_bytes(sheets[word])
    assert says in here(*(str(sheet) if word in sheets else word for word in words), status=2)


def test_a_comparison_says_what_was_compared() -> None:
    words = ("--table", "vegas", "--against", "downtown", "--rounds", "1000", "--workers", "1", "--json")
    told = json.loads(run("run", *words).stdout)
    assert (told["table"], told["strategy"]) == ("vegas", "basic")
    assert (told["other_table"], told["other_strategy"]) == ("downtown", "basic")
    assert told["difference"]["mean"] == pytest.approx(told["mean"] - told["other"]["mean"])


@pytest.mark.parametrize(
    "seconds, said",
    [(0.2, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "120 min"), (7200, "2 h"), (1e15, "277,777,777,778 h")],
)
def test_the_time_to_go_is_said_shortly_however_long_it_is(seconds: float, said: str) -> None:
    assert time_of(seconds) == said


def test_ctrl_c_prints_what_was_counted() -> None:
    words = command("run", "--rounds", "1e12", "--strategy", "mimic", "--workers", "1", "--json")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert re.search(
            r"a second, [0-9,]+ (h|min|s) to go", process.stderr.readline()
        )  # as soon as something is counted
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    told = json.loads(out)
    assert process.returncode == 0
    assert 0 < told["rounds"] < told["asked"] == 10**12


# ------------------------------------------------------------------------------------------------ the site


def wait_for(player: Player, key: str, *statuses: str, rounds: int = 0) -> Any:
    """Whoever plays does so only when nobody else wants the processor: on a busy machine that takes its time."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        found = player.get(f"/lab/{key}").json
        if found["status"] in statuses and found["rounds"] >= rounds:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def children(parent: int) -> list[int]:
    """Processes of this parent, by what the kernel says of them all."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(entry.parent.name))
    return found


def workers_of(foreman: int) -> list[int]:
    """But for the process that only looks after shared memory."""
    return [pid for pid in children(foreman) if b"resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_bytes()]


def is_alive(process: int) -> bool:
    """One that has ended and waits to be noticed has no command any more."""
    try:
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    except OSError:
        return False


def is_foreman(process: int) -> bool:
    return b"\0work\0" in Path(f"/proc/{process}/cmdline").read_bytes()


def test_a_run_survives_its_foreman_and_the_house_and_nobody_stays_behind(serving: Callable[..., Server]) -> None:
    """Killed one after the other in the middle of it; what was finished stays, what was not goes on and says so."""
    server = serving()
    player = Player(server.url)
    fields = {"table": "vegas", "strategy": "mimic", "rounds": "20000000", "seed": "4", "nonce": "first"}
    player.post("/lab", list((fields | {"rounds": "100000"}).items()))
    short = wait_for(player, player.answer.json["run"], "done")
    player.post("/lab", list((fields | {"nonce": "second"}).items()))
    key = player.answer.json["run"]
    wait_for(player, key, "running", "waiting", "done", rounds=250_000)
    foremen = [pid for worker in children(server.process.pid) for pid in children(worker) if is_foreman(pid)]
    assert len(foremen) == 1
    # who writes must not hold the others up, who plays must
    nice = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (foremen[0], *workers_of(foremen[0]))]
    os.kill(foremen[0], signal.SIGKILL)
    found = wait_for(player, key, "running", "waiting", "done", rounds=500_000)
    server.kill()
    server = serving(port=int(server.url.rsplit(":")[-1]))
    assert nice[0] < 19 and set(nice[1:]) == {19}
    found = wait_for(player, key, "done")
    assert found["rounds"] == 20_000_000
    assert found["interrupted"] >= 1
    exact = Experiment(Scenario(PRESETS["vegas"], strategy_by_name("mimic", PRESETS["vegas"])), 20_000_000, 4)
    (first,) = (mark for mark in found["convergence"] if mark["rounds"] == exact.chunk)
    assert first["mean"] == play_chunk(exact, 0).tallies[0].mean
    assert player.get(f"/lab/{short['run']}").json == short

    # and when it is closed, nobody is left
    player.post("/lab", list((fields | {"nonce": "third"}).items()))
    wait_for(player, player.answer.json["run"], "running", "waiting", "done", rounds=250_000)
    staff = [pid for worker in children(server.process.pid) for pid in children(worker)]
    staff += [pid for foreman in staff for pid in children(foreman)]
    assert len(staff) > 1
    server.stop()
    deadline = time.monotonic() + 30
    while left := [pid for pid in staff if is_alive(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)
