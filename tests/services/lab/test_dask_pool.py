"""``--scheduler``: a real scheduler and real workers of Dask, each a process of its own, on this machine."""

import json
import signal
import subprocess
import time
from typing import Any

from click.testing import CliRunner

from tests.support.command_line import lab_command
from tests.support.fixtures.clusters import Cluster
from tests.support.server import free_port
from webapp.cli import main

WORDS = ("run", "--table", "downtown", "--seed", "9", "--chunk", "100000", "--json")


def begin(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(lab_command(*WORDS, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def played_here(*words: str) -> str:
    """What the command prints, run in this process to save the start of another."""
    done = CliRunner().invoke(main, ["lab", *WORDS, *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def figures(out: str) -> Any:
    told = json.loads(out)
    assert told.pop("rounds_per_second") > 0
    return told


def test_a_cluster_comes_to_the_same_figures_though_a_worker_dies_and_says_when_it_is_gone(cluster: Cluster) -> None:
    """Killed in the middle, each with chunks in hand. Somebody who has no scheduler at all is told so meanwhile."""
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
    began = time.monotonic()
    out, said = lost.communicate(timeout=60)
    assert lost.returncode == 1 and "nobody is left to play" in said and "Traceback" not in said, said
    assert 0 < json.loads(out)["rounds"] < 10**12
    assert time.monotonic() - began < 30

    out, said = nowhere.communicate(timeout=60)
    assert (nowhere.returncode, out) == (2, "")
    assert "no scheduler answers at tcp://127.0.0.1:" in said and "Traceback" not in said
