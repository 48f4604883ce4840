"""The server is killed again and again while people play, and answers get lost: what was acknowledged stays."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.app import KEY
from tests.support.server import Server, free_port
from tests.support.stubborn import Crowd


def run(serving: Callable[..., Server], kills: int, players: int, progress: int) -> None:
    port = free_port()
    server = serving(port=port)
    with Crowd([server.url], players) as crowd:
        for _ in range(kills):
            crowd.wait_for_progress(progress)
            server.kill()
            server = serving(port=port)
        crowd.wait_for_progress(progress)
    crowd.nothing_is_lost()
    server.stop()
    assert audit(server.instance) == 0


def audit(instance: Path) -> int:
    """Exit status of ``tefuda audit``."""
    command = [str(Path(sys.executable).with_name("tefuda")), "audit"]
    done = subprocess.run(
        command, env={**os.environ, "TEFUDA_INSTANCE": str(instance), "TEFUDA_SECRET_KEY": KEY}, capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    print(done.stdout)
    return done.returncode


def test_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    """A few here; two hundred with ``make soak``."""
    run(serving, kills=3, players=4, progress=4)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_two_hundred_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    run(serving, kills=200, players=16, progress=30)
