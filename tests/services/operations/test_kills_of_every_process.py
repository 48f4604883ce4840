"""Each process of a site is killed during solo and shared play: everything acknowledged is kept."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from threading import Event

import pytest

from tests.support import postgres
from tests.support.app import close, make_app, migrate
from tests.support.lab_work import wait_for
from tests.support.player import Player
from tests.support.processes import children, is_patient, workers_of
from tests.support.retrying_players import PlayerThreads, RetryingPlayer, RetryingSoloPlayer, require_moves_stored
from tests.support.retrying_table_players import require_commands_stored, retrying_table_players
from tests.support.rows import findings
from tests.support.server import Server, free_port

RATE = 40
"""Actions a second, of all people together, under which a process is killed."""
ALONE, TABLES, GOERS = 12, 4, 3
"""People who play alone, tables with three people each, and people who come and go in a circle."""
PATIENCE = 10
"""Seconds for which so many are waited for beside other tests: on a slow machine there may never be so many."""
A_MINUTE = 60
PACE = 0.15
"""Seconds that a person takes for an action."""
MANY = 10**10
"""Rounds of a simulation that does not end meanwhile."""

Kill = Callable[["Site"], None]

pytestmark = pytest.mark.pg


class Site:
    """Two web processes on one PostgreSQL and in one instance folder, with their child processes."""

    def __init__(self, serving: Callable[..., Server], cluster: postgres.Cluster, folder: Path) -> None:
        self._serving, self._cluster, self._folder = serving, cluster, folder
        self._ports = [free_port(), free_port()]
        self.web = [self._start(number) for number in range(2)]
        self.urls = [each.url for each in self.web]

    def _start(self, number: int) -> Server:
        settings = {"TEFUDA_LAB_WORKERS": "1", "TEFUDA_DATABASE_URL": self._cluster.url}
        limits = {"webapp.services.lab.supervisor.WATCH_SECONDS": 0.5, "webapp.config.LAB_ROUNDS": MANY}
        return self._serving(self._folder, self._ports[number], limits=limits, **settings)

    # What is killed, and started again as a service manager would.

    def web_process(self) -> None:
        """Kill a web process but not its child processes, which must notice by themselves."""
        os.kill(self.web[0].process.pid, signal.SIGKILL)
        self.web[0].process.wait()
        self.web[0] = self._start(0)

    def web_process_with_all_that_it_has_started(self) -> None:
        self.web[1].kill()
        self.web[1] = self._start(1)

    def worker_of_the_lab(self) -> None:
        _kill_one(lambda: [worker for worker in self._workers() if is_patient(worker)])

    def worker_of_the_odds(self) -> None:
        _kill_one(lambda: [worker for worker in self._workers() if not is_patient(worker)])

    def process_from_which_workers_are_forked(self) -> None:
        _kill_one(lambda: [child for each in self.web for child in children(each.process.pid) if children(child)])

    def connection_of_the_database(self) -> None:
        self._cluster.kill_connection()

    def database(self) -> None:
        self._cluster.kill()
        self._cluster.start(postgres.DURABLE)

    def _workers(self) -> list[int]:
        return [worker for each in self.web for worker in workers_of(each.process.pid)]


def _kill_one(running: Callable[[], list[int]]) -> None:
    """Kill the first of these processes as soon as there is one."""
    deadline = time.monotonic() + 60
    while True:
        assert time.monotonic() < deadline, "it is started again"
        try:
            found = running()
        except OSError:  # one of them has ended just now
            continue
        if found:
            os.kill(found[0], signal.SIGKILL)
            return
        time.sleep(0.02)


KINDS = (
    Site.worker_of_the_lab,
    Site.worker_of_the_odds,
    Site.process_from_which_workers_are_forked,
    Site.web_process_with_all_that_it_has_started,
    Site.connection_of_the_database,
    Site.web_process,
    Site.database,
)


class OddsReader(RetryingPlayer):
    """Requests odds, each time of another hand. Right after a kill of their process, the response may take longer."""

    def play_until(self, stop: Event) -> None:
        while not stop.is_set():
            first, second, dealer = self.random.sample("23456789", 3)
            self.wait_for_pace()
            self.get(f"/odds/blackjack.json?table=vegas&cards={first}s%20{second}h&dealer={dealer}c")
            assert self.status in (200, 202, 503), self.answer.text
            self.acted += [time.monotonic()] if self.status == 200 else []


class CircleGoer(RetryingPlayer):
    """Joins a circle, and leaves it, by turns. ``is_in``: what was acknowledged last."""

    def __init__(self, urls: Sequence[str], seed: int, circle: str) -> None:
        super().__init__(urls, seed, True, 0.5)
        self.circle, self.name, self.is_in = circle, f"Goer {seed}", False

    def play_until(self, stop: Event) -> None:
        self.post("/settings", [("name", self.name)])  # a newcomer whose answer is lost would come as another player
        while not stop.is_set():
            self.wait_for_pace()
            self.post(f"{self.circle}/leave" if self.is_in else f"{self.circle}/join", [("name", self.name)])
            assert self.status == 200, self.answer.text
            self.is_in = not self.is_in


def run(
    serving: Callable[..., Server], cluster: postgres.Cluster, room: Path, kinds: Sequence[Kill], patience: float
) -> float:
    """Kill one of each of these. Return the actions per second while all processes were running.

    ``patience``: as in ``wait_until_busy``.
    """
    app = make_app(cluster.url, room)
    migrate(app)
    site = Site(serving, cluster, room)
    solo = [
        RetryingSoloPlayer([*site.urls[seed % 2 :], *site.urls[: seed % 2]], seed, True, PACE) for seed in range(ALONE)
    ]
    seated = retrying_table_players(site.urls, TABLES, 3, PACE)
    readers = [OddsReader([url], seed, False, 0.5) for seed, url in enumerate(site.urls)]
    experimenter, job = begin_simulation(site.urls[1])
    experimenter.post("/circles", [("name", "Friends"), ("member", "Keeper")])
    circle = experimenter.answer.json["url"]
    goers = [CircleGoer(site.urls[seed % 2 :], seed, circle) for seed in range(GOERS)]
    seconds, actions, acknowledged = 0.0, 0, 0
    with PlayerThreads([*readers, *goers]) as asking, PlayerThreads([*solo, *seated]) as crowd:
        for kind in (*kinds, None):
            began = time.monotonic()
            acknowledged += wait_until_busy(crowd, began, patience)
            busy = time.monotonic()
            seconds, actions = seconds + busy - began, actions + crowd.acted_between(began, busy)
            if kind:
                kind(site)
        rounds = experimenter.get(f"/lab/{job}").json["rounds"]
        assert wait_for(experimenter, job, "running", "waiting", rounds=rounds + 1)["interrupted"] >= 1
        asking.wait_for_progress(1)
    crowd.require_no_failure()
    asking.require_no_failure()
    members = {member["name"] for member in experimenter.get(circle).json["members"]}
    assert members == {"Keeper", *(goer.name for goer in goers if goer.is_in)}
    for each in site.web:
        each.stop()
    stored = require_moves_stored(app, solo), require_commands_stored(app, seated)
    assert min(stored) > 0 and sum(stored) >= acknowledged
    assert findings(app) == []
    close(app)
    return actions / seconds


def begin_simulation(url: str) -> tuple[Player, str]:
    """Start a simulation that does not end meanwhile; return its player and key."""
    experimenter = Player(url)
    fields = {"table": "vegas", "strategy": "mimic", "rounds": str(MANY), "seed": "4", "nonce": "once"}
    experimenter.post("/lab", list(fields.items()))
    job = experimenter.answer.json["run"]
    wait_for(experimenter, job, "running", "waiting", rounds=1)
    return experimenter, job


def wait_until_busy(crowd: PlayerThreads, since: float, patience: float) -> int:
    """Wait, for a minute at most, for a second with ``RATE`` acknowledged actions; return their number.

    ``patience``: seconds after which a second with any action is enough.
    """
    while True:
        now = time.monotonic()
        acted = crowd.acted_between(now - 1, now)
        if now >= since + 1 and acted >= (RATE if now < since + patience else 1):
            return min(acted, RATE)
        assert now < since + A_MINUTE, "not so many actions a second within a minute"
        time.sleep(0.01)


def test_kills_of_every_process_lose_nothing_that_was_acknowledged(
    durable_postgres: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    """One of each kind here; twenty of each with ``make soak``.

    Each is killed at the end of a second with 40 actions or more, if the machine is fast enough for that beside other
    tests. The soak asserts that rate on average.
    """
    run(serving, durable_postgres, tmp_path / "site", KINDS, PATIENCE)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_many_kills_of_every_process_lose_nothing_that_was_acknowledged(
    durable_postgres: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    kinds = [*KINDS * 20]
    Random(1).shuffle(kinds)
    rate = run(serving, durable_postgres, tmp_path / "site", kinds, A_MINUTE)
    print(f"{rate:.0f} actions a second")
    assert rate >= RATE
