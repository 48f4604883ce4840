"""``tefuda review``: computes all missing reviews, on this machine or on a Dask cluster, with identical results."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import KEY
from tests.support.command_line import command
from tests.support.fixtures.clusters import Cluster
from tests.support.lab_work import HERE
from tests.support.moves import dealt, finished
from tests.support.player import Player
from tests.support.rows import findings, rows, tamper
from webapp.services.review import batch

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
pytestmark = SQLITE


@pytest.fixture
def keys(app: Flask, alice: Player, bob: Player) -> list[str]:
    """Keys of hands of two players that nobody has looked at."""
    found = []
    for player in (alice, alice, bob):
        dealt(player)
        found.append(finished(player))
    return found


def reviews(app: Flask) -> dict[str, str]:
    """Return stored reviews by the key of the hand."""
    return {row[0]: row[2] for row in rows(app)["review"]}


def statistics(app: Flask) -> list[tuple[object, ...]]:
    return list(rows(app)["decision_statistics"])


def forget(app: Flask) -> None:
    tamper(app, "DELETE FROM review")
    tamper(app, "DELETE FROM decision_statistics")


def started(database_url: str, instance: Path, *words: str) -> subprocess.Popen[str]:
    environ = {name: text for name, text in os.environ.items() if not name.startswith("TEFUDA_")}
    environ |= {"TEFUDA_DATABASE_URL": database_url, "TEFUDA_INSTANCE": str(instance), "TEFUDA_SECRET_KEY": KEY}
    return subprocess.Popen(
        command("review", *words), env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_what_is_missing_is_worked_out_once_and_counted_once(app: Flask, keys: list[str]) -> None:
    told: list[str] = []
    with app.app_context():
        assert batch.review_all(HERE, None, told.append) == len(keys)
        assert batch.review_all(HERE, None, told.append) == 0
    assert sorted(told) == sorted(keys) == sorted(reviews(app))
    assert sum(row[4] for row in statistics(app)) == len(keys)  # type: ignore[misc]
    assert findings(app) == []


def test_a_cluster_of_two_workers_comes_to_the_same_reviews_to_the_last_bit(
    app: Flask, keys: list[str], database_url: str, tmp_path: Path, cluster: Cluster
) -> None:
    with app.app_context():
        batch.review_all(HERE, None, lambda key: None)
    here, counted = reviews(app), statistics(app)
    forget(app)
    process = started(database_url, tmp_path, "--scheduler", cluster.address)
    out, said = process.communicate(timeout=250)
    assert (process.returncode, out) == (0, f"{len(keys)} reviews\n"), said
    assert reviews(app) == here
    assert statistics(app) == counted


def test_who_is_killed_goes_on_with_what_is_left(
    app: Flask, keys: list[str], database_url: str, tmp_path: Path
) -> None:
    process = started(database_url, tmp_path, "--workers", "1")
    while not reviews(app):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = reviews(app)
    assert kept
    again = started(database_url, tmp_path, "--workers", "1")
    out, said = again.communicate(timeout=250)
    assert (again.returncode, out) == (0, f"{len(keys) - len(kept)} reviews\n"), said
    assert kept.items() <= reviews(app).items()
    assert sorted(reviews(app)) == sorted(keys)
    assert sum(row[4] for row in statistics(app)) == len(keys)  # type: ignore[misc]
