"""PostgreSQL is restarted and killed during play: the site recovers by itself, and nothing is lost."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import postgres
from tests.support.app import close, make_app, migrate
from tests.support.player import Player
from tests.support.retrying_players import (
    PlayerThreads,
    RetryingPlayer,
    require_moves_stored,
    require_nothing_lost,
    solo_players,
)
from tests.support.retrying_table_players import require_commands_stored, retrying_table_players
from tests.support.rows import findings
from tests.support.server import Server

BACK = 5.0
"""Seconds after which the site has to play on, counted from the moment at which PostgreSQL takes connections again."""

pytestmark = pytest.mark.pg


def wait_until_all_play_on(crowd: PlayerThreads, parties: list[list[RetryingPlayer]]) -> float:
    """Wait until somebody of each party has acted; return the seconds.

    Requests are repeated until they are answered.
    """
    began = time.monotonic()
    while not all(any(person.acted[-1:] > [began] for person in party) for party in parties):
        crowd.require_no_failure()
        assert time.monotonic() - began < BACK
        time.sleep(0.005)
    return time.monotonic() - began


def run(
    cluster: postgres.Cluster, serving: Callable[..., Server], room: Path, ends: list[str], players: int, tables: int
) -> None:
    app = make_app(cluster.url, room)
    migrate(app)
    servers = [serving(room / f"served-{number}", TEFUDA_DATABASE_URL=cluster.url) for number in range(2)]
    urls = [server.url for server in servers]
    solo, seated = (
        solo_players(urls, players, patient=True),
        retrying_table_players(urls, tables, 2, 0.05, failing_over=False),
    )
    parties: list[list[RetryingPlayer]] = [[person] for person in solo]
    parties += [[person for person in seated if person.code == code] for code in {each.code for each in seated}]
    taken = []
    with PlayerThreads([*solo, *seated]) as crowd:
        for end in ends:
            crowd.wait_for_progress(5 * len(crowd.people))
            if end == "kill":
                cluster.kill()
            else:
                cluster.stop(end)
            refused = Player(servers[0].url)
            for address in ("/play/poker", "/tables"):
                refused.post(address)
                assert (refused.status, refused.answer.json["error"]) == (503, "unavailable")
            cluster.start(postgres.DURABLE)
            taken.append(wait_until_all_play_on(crowd, parties))
        crowd.wait_for_progress(len(crowd.people))
    crowd.require_no_failure()
    print(f"back within {max(taken):.2f} seconds")
    for person in solo:
        require_nothing_lost(person)
    for server in servers:
        assert server.process.poll() is None, "it was not restarted itself"
        server.stop()
    assert require_moves_stored(app, solo) and require_commands_stored(app, seated)
    assert findings(app) == []
    close(app)


def test_a_database_that_is_restarted_and_killed_under_load(
    durable_postgres: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    """Twice here; forty times with ``make soak``."""
    run(durable_postgres, serving, tmp_path, ["fast", "kill"], players=3, tables=2)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_a_database_that_is_restarted_and_killed_forty_times_under_load(
    durable_postgres: postgres.Cluster, serving: Callable[..., Server], tmp_path: Path
) -> None:
    run(durable_postgres, serving, tmp_path, ["fast", "kill", "immediate", "kill"] * 10, players=12, tables=4)
