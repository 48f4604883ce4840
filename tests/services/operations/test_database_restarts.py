"""PostgreSQL is restarted and killed during play: the site recovers by itself, and nothing is lost."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import postgres
from tests.support.app import close, make_app, migrate
from tests.support.player import Player
from tests.support.rows import findings
from tests.support.server import Server
from tests.support.stubborn import Crowd, Persistent, alone, every_move_is_stored, nothing_is_lost
from tests.support.stubborn_tables import every_command_is_stored, tables_of

BACK = 5.0
"""Seconds after which the site has to play on, counted from the moment at which PostgreSQL takes connections again."""

pytestmark = pytest.mark.pg


def wait_until_all_play_on(crowd: Crowd, parties: list[list[Persistent]]) -> float:
    """Wait until somebody of each party has acted; return the seconds.

    Requests are repeated until they are answered.
    """
    began = time.monotonic()
    while not all(any(person.acted[-1:] > [began] for person in party) for party in parties):
        crowd.nothing_has_failed()
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
    solo, seated = alone(urls, players, patient=True), tables_of(urls, tables, 2, 0.05, failing_over=False)
    parties: list[list[Persistent]] = [[person] for person in solo]
    parties += [[person for person in seated if person.code == code] for code in {each.code for each in seated}]
    taken = []
    with Crowd([*solo, *seated]) as crowd:
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
    crowd.nothing_has_failed()
    print(f"back within {max(taken):.2f} seconds")
    for person in solo:
        nothing_is_lost(person)
    for server in servers:
        assert server.process.poll() is None, "it was not restarted itself"
        server.stop()
    assert every_move_is_stored(app, solo) and every_command_is_stored(app, seated)
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
