"""The supervisor: it survives kills, leaves no process behind, and receives no key of the site."""

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.app import KEY, close, make_app
from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.processes import children, is_alive, is_supervisor, workers_of
from tests.support.server import Server
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.experiment import Experiment, Scenario
from webapp.engine.simulation.strategy.by_name import strategy_by_name
from webapp.services.lab import supervisor


def test_a_job_survives_its_supervisor_and_the_site_and_nobody_stays_behind(serving: Callable[..., Server]) -> None:
    """After each kill a finished job is kept, and an unfinished one continues and says so.

    No request is sent meanwhile: the site itself starts another supervisor.
    """
    server = serving(TEFUDA_LAB_WORKERS="1")
    player = Player(server.url)
    fields = {"table": "vegas", "strategy": "mimic", "rounds": "20000000", "seed": "4", "nonce": "first"}
    player.post("/lab", list((fields | {"rounds": "100000"}).items()))
    short = wait_for(player, player.answer.json["run"], "done")
    supervisors = [pid for pid in children(server.process.pid) if is_supervisor(pid)]
    assert len(supervisors) == 1
    (worker,) = workers_of(supervisors[0])
    # the one that writes must not be slow, the one that plays must
    nice = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (supervisors[0], worker)]
    player.post("/lab", list((fields | {"nonce": "second"}).items()))
    key = player.answer.json["run"]
    wait_for(player, key, "running", "waiting", "done", rounds=250_000)
    os.kill(worker, signal.SIGSTOP)  # a stopped worker makes no progress, so its chunk is incomplete when it is killed
    assert wait_for(player, key, "running", "done")["status"] == "running"
    os.kill(supervisors[0], signal.SIGKILL)
    os.kill(worker, signal.SIGCONT)
    found = wait_for(player, key, "running", "waiting", "done", rounds=500_000)
    server.kill()
    server = serving(port=int(server.url.rsplit(":")[-1]), TEFUDA_LAB_WORKERS="1")
    assert nice[0] < 19 and nice[1] == 19
    found = wait_for(player, key, "done")
    assert found["rounds"] == 20_000_000
    assert found["interrupted"] >= 1
    exact = Experiment(Scenario(PRESETS["vegas"], strategy_by_name("mimic", PRESETS["vegas"])), 20_000_000, 4)
    (first,) = (mark for mark in found["convergence"] if mark["rounds"] == exact.chunk)
    assert first["mean"] == play_chunk(exact, 0).results[0].mean
    assert player.get(f"/lab/{short['run']}").json == short

    # after close() no process is left
    player.post("/lab", list((fields | {"nonce": "third"}).items()))
    wait_for(player, player.answer.json["run"], "running", "waiting", "done", rounds=250_000)
    staff = children(server.process.pid)
    staff += [pid for parent in staff for pid in children(parent)]
    assert len(staff) > 1
    server.stop()
    deadline = time.monotonic() + 30
    while left := [pid for pid in staff if is_alive(pid)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def test_the_supervisor_gets_no_key_of_the_site(
    tmp_path: Path, blank_sqlite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has none in its environment, and neither reads nor creates a key file."""
    monkeypatch.setenv("TEFUDA_SECRET_KEY", KEY)
    monkeypatch.setenv("TEFUDA_SECRET_KEY_FALLBACKS", "an older key of the site")
    monkeypatch.setenv("TEFUDA_METRICS_TOKEN", "a word for the metrics")
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    app = make_app(f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path, TEFUDA_LAB_WORKERS="1")
    config = app.extensions["config"]
    supervisor.ensure_running(config)
    process = supervisor._started.pop(config.instance)
    try:
        deadline = time.monotonic() + 60
        while not supervisor.is_running(config):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        environ = Path(f"/proc/{process.pid}/environ").read_bytes()
    finally:
        process.kill()
        process.wait()
        close(app)
    assert str(tmp_path / "room.sqlite3").encode() in environ
    assert KEY.encode() not in environ and b"an older key" not in environ and b"for the metrics" not in environ
    assert not (tmp_path / "secret_key").exists()
