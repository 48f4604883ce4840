"""A disk that is really full under a running server: players are told, nothing is lost, and the site recovers."""

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.app import close, make_app, migrate
from tests.support.moves import finished
from tests.support.player import Player
from tests.support.retrying_players import PlayerThreads, require_moves_stored, require_nothing_lost, solo_players
from tests.support.retrying_table_players import require_commands_stored, retrying_table_players
from tests.support.rows import findings
from tests.support.server import NAME, Server

SIZE = 8
"""Megabytes of the disk."""
SENTENCE = "The house cannot get at its books just now. Your hand is safe; try again in a moment."


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own; only root can mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"no file system of our own: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Write a file until no byte is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    return ballast


def refused(url: str) -> Player:
    """Let new players come until one is refused; the last page of the database may have room for a few."""
    for _ in range(200):
        newcomer = Player(url)
        newcomer.sit("poker")
        if newcomer.status != 201:
            return newcomer
    raise AssertionError("nobody was refused")


def test_people_play_on_when_there_is_room_again(disk: Path, serving: Callable[..., Server]) -> None:
    settings = {"TEFUDA_DATABASE_URL": f"sqlite:///{disk / NAME}", "TEFUDA_LAB_WORKERS": "0"}
    app = make_app(settings["TEFUDA_DATABASE_URL"], disk.parent / "instance")
    migrate(app)
    site = serving(disk.parent / "instance", **settings)
    solo = solo_players([site.url], 4, patient=True)
    seated = retrying_table_players([site.url], 1, 2, 0.05, failing_over=False)
    with PlayerThreads([*solo, *seated]) as crowd:
        for _ in range(2):
            crowd.wait_for_progress(40)
            ballast = fill(disk)
            stranger = refused(site.url)
            assert (stranger.status, stranger.answer.json["message"]) == (503, SENTENCE)
            assert int(stranger.answer.headers["retry-after"]) > 0
            assert Player(site.url).get("/readyz").status == 503
            assert Player(site.url).get("/").status == 200, "who looks is answered"
            time.sleep(0.5)
            ballast.unlink()
            back = time.monotonic()
            crowd.wait_for_progress(10)
            assert time.monotonic() - back < 5
    crowd.require_no_failure()
    for person in solo:
        require_nothing_lost(person)
    assert site.process.poll() is None, "it was not restarted"
    newcomer = Player(site.url)
    newcomer.sit("poker")
    newcomer.deal("cut")
    finished(newcomer)
    site.stop()
    assert require_moves_stored(app, solo) and require_commands_stored(app, seated)
    assert findings(app) == []
    close(app)
