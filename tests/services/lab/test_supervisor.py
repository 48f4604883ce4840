"""The supervisor: what is killed costs nothing, and no process is left behind."""

import os
import signal
import time
from collections.abc import Callable

from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.processes import is_alive, is_patient, workers_of
from tests.support.server import Server
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.strategy_by_name import strategy_by_name

FIELDS = {"table": "vegas", "strategy": "mimic", "rounds": "20000000", "seed": "4"}


def begin(player: Player, nonce: str, **fields: str) -> str:
    player.post("/lab", list((FIELDS | fields | {"nonce": nonce}).items()))
    return str(player.answer.json["run"])


def test_a_job_survives_its_workers_and_the_site_and_nobody_stays_behind(serving: Callable[..., Server]) -> None:
    """After a kill of the site a finished job is kept, and an unfinished one continues and says so.

    No request is sent meanwhile: the site itself goes on with it.
    """
    server = serving(TEFUDA_LAB_WORKERS="1")
    player = Player(server.url)
    short = wait_for(player, begin(player, "first", rounds="100000"), "done")
    workers = workers_of(server.process.pid)
    assert workers and all(is_patient(worker) for worker in workers), "nobody waits for them"
    key = begin(player, "second")
    wait_for(player, key, "running", "waiting", "done", rounds=250_000)
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)  # they make no progress, so that a chunk is incomplete when they are killed
    found = wait_for(player, key, "running", "done")
    assert found["status"] == "running"
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    found = wait_for(player, key, "running", "waiting", "done", rounds=found["rounds"] + 250_000)
    assert found["interrupted"] == 0, "a worker is replaced"
    for worker in workers_of(server.process.pid):
        os.kill(worker, signal.SIGSTOP)
    server.kill()
    server = serving(port=int(server.url.rsplit(":")[-1]), TEFUDA_LAB_WORKERS="1")
    found = wait_for(player, key, "done")
    assert (found["rounds"], found["interrupted"]) == (20_000_000, 1)
    exact = Experiment(Scenario(PRESETS["vegas"], strategy_by_name("mimic", PRESETS["vegas"])), 20_000_000, 4)
    (first,) = (mark for mark in found["convergence"] if mark["rounds"] == exact.chunk)
    assert first["mean"] == play_chunk(exact, 0).results[0].mean
    assert player.get(f"/lab/{short['run']}").json == short

    wait_for(player, begin(player, "third"), "running", "waiting", "done", rounds=250_000)
    staff = workers_of(server.process.pid)
    assert staff
    server.stop()
    deadline = time.monotonic() + 30
    while left := [pid for pid in staff if is_alive(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)
