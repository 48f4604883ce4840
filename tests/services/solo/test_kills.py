"""The server is killed repeatedly during play, and responses get lost: everything acknowledged is kept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.app import close, make_app
from tests.support.retrying_players import PlayerThreads, require_nothing_lost, solo_players
from tests.support.rows import findings
from tests.support.server import NAME, Server, free_port


def run(serving: Callable[..., Server], kills: int, players: int, progress: int) -> None:
    port = free_port()
    server = serving(port=port)
    people = solo_players([server.url], players)
    with PlayerThreads(people) as crowd:
        for _ in range(kills):
            crowd.wait_for_progress(progress)
            server.kill()
            server = serving(port=port)
        crowd.wait_for_progress(progress)
    crowd.require_no_failure()
    for person in people:
        require_nothing_lost(person)
    server.stop()
    assert left_behind(server.instance) == []


def left_behind(instance: Path) -> list[str]:
    """Return the audit's findings in the database of a server that has ended."""
    app = make_app(f"sqlite:///{instance / NAME}", instance)
    found = findings(app)
    close(app)
    return found


def test_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    """A few kills here; two hundred with ``make soak``."""
    run(serving, kills=3, players=4, progress=12)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_two_hundred_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    run(serving, kills=200, players=16, progress=80)
