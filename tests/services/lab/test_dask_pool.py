"""``--scheduler``: simulations on a real Dask scheduler and workers, each a process of its own."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tests.support.command_line import lab_command
from tests.support.fixtures.clusters import Cluster
from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.server import Server, free_port
from webapp.cli import main

WORDS = ("run", "--table", "downtown", "--seed", "9", "--chunk", "100000", "--json")


def begin(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(lab_command(*WORDS, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def played_here(*words: str) -> str:
    """Return the output of the command, run in this process to save starting another."""
    done = CliRunner().invoke(main, ["lab", *WORDS, *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def figures(out: str) -> Any:
    told = json.loads(out)
    assert told.pop("rounds_per_second") > 0
    return told


def test_a_cluster_comes_to_the_same_figures_though_a_worker_dies_and_says_when_it_is_gone(cluster: Cluster) -> None:
    """Workers are killed with chunks in progress. A client without a scheduler gets an error message."""
    nowhere = begin("--scheduler", f"tcp://127.0.0.1:{free_port()}")
    there = begin("--rounds", "4e6", "--scheduler", cluster.address)
    assert there.stderr is not None
    while "a second" not in there.stderr.readline():
        assert there.poll() is None
    scheduler, worker, other = cluster.members
    worker.kill()
    out, said = there.communicate(timeout=60)
    assert there.returncode == 0, said
    assert figures(out) == figures(played_here("--rounds", "4e6", "--workers", "1"))
    assert (worker.wait(), other.poll()) == (-signal.SIGKILL, None)

    lost = begin("--rounds", "1e12", "--scheduler", cluster.address)
    assert lost.stderr is not None
    while "a second" not in lost.stderr.readline():
        assert lost.poll() is None
    scheduler.kill()
    out, said = lost.communicate(timeout=60)  # it waits for nobody: its rounds would take days
    assert lost.returncode == 1 and "nobody is left to play" in said and "Traceback" not in said, said
    assert 0 < json.loads(out)["rounds"] < 10**12

    out, said = nowhere.communicate(timeout=60)
    assert (nowhere.returncode, out) == (2, "")
    assert "no scheduler answers at tcp://127.0.0.1:" in said and "Traceback" not in said


def test_simulations_of_visitors_are_played_on_a_cluster_and_go_on_when_it_is_lost(
    serving: Callable[..., Server], cluster: Cluster, tmp_path: Path
) -> None:
    """The site itself runs none until the scheduler is killed; then the rest runs on this machine."""
    instance = tmp_path / "instance"
    server = serving(instance, TEFUDA_LAB_WORKERS="0")
    environ = os.environ | {"TEFUDA_INSTANCE": str(instance), "TEFUDA_RATE_LIMITS": "off"}
    alice = Player(server.url)
    fields = {"table": "vegas", "strategy": "mimic", "seed": "4", "nonce": "first", "rounds": "2000000"}
    alice.post("/lab", list(fields.items()))
    whole = alice.answer.json["run"]
    command = lab_command("work", "--idle", "600", "--scheduler", cluster.address)
    work = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    played = wait_for(alice, whole, "done")
    alice.post("/lab", list((fields | {"nonce": "second", "rounds": "20000000"}).items()))
    key = alice.answer.json["run"]
    wait_for(alice, key, "running", "waiting", rounds=250_000)
    cluster.members[0].kill()
    _, said = work.communicate(timeout=60)
    assert work.returncode == 1 and "nobody is left to play" in said and "Traceback" not in said, said
    here = subprocess.Popen(lab_command("work", "--idle", "1"), env=environ)
    assert wait_for(alice, key, "done")["interrupted"] == 1
    alice.post("/lab", list((fields | {"nonce": "third"}).items()))
    assert wait_for(alice, alice.answer.json["run"], "done")["distribution"] == played["distribution"]
    assert here.wait(60) == 0
