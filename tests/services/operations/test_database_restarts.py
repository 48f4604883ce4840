"""PostgreSQL is restarted and killed while people play: the site comes back by itself, and nothing is lost."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import postgres
from tests.support.app import close, make_app, migrate
from tests.support.player import Player
from tests.support.rows import findings
from tests.support.server import Server
from tests.support.stubborn import Crowd

BACK = 5.0
"""Seconds after which the site has to play on."""

pytestmark = pytest.mark.pg


@pytest.fixture
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL that keeps what it has acknowledged."""
    if postgres.programs() is None:
        (pytest.fail if postgres.required() else pytest.skip)(postgres.MISSING)
    with postgres.cluster(postgres.DURABLE) as running:
        yield running


def played_on(player: Player) -> bool:
    """Whether somebody new is dealt in, which takes several writes."""
    player.sit("poker")
    return player.status == 201


def run(cluster: postgres.Cluster, serving: Callable[..., Server], room: Path, ends: list[str], players: int) -> None:
    app = make_app(cluster.url, room)
    migrate(app)
    servers = [serving(room / f"served-{number}", TEFUDA_DATABASE_URL=cluster.url) for number in range(2)]
    with Crowd([server.url for server in servers], players, patient=True) as crowd:
        for end in ends:
            crowd.wait_for_progress(players)
            if end == "kill":
                cluster.kill()
            else:
                cluster.stop(end)
            refused = Player(servers[0].url)
            refused.sit("poker")
            assert (refused.status, refused.answer.json["error"]) == (503, "unavailable")
            cluster.start(postgres.DURABLE)
            began = time.monotonic()
            while not all(played_on(Player(server.url)) for server in servers):
                assert time.monotonic() - began < BACK
        crowd.wait_for_progress(players)
    crowd.nothing_is_lost()
    for server in servers:
        assert server.process.poll() is None, "it was not restarted itself"
        server.stop()
    assert findings(app) == []
    close(app)


def test_a_database_that_is_restarted_and_killed_under_load(
    cluster: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    """Twice here; forty times with ``make soak``."""
    run(cluster, serving, tmp_path, ["fast", "kill"], players=3)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_a_database_that_is_restarted_and_killed_forty_times_under_load(
    cluster: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    run(cluster, serving, tmp_path, ["fast", "kill", "immediate", "kill"] * 10, players=12)
