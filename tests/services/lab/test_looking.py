"""Looking at a waiting job changes nothing and starts nothing."""

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS, headers
from tests.support.player import Player
from tests.support.rows import rows
from webapp.services.lab import supervisor

ADDRESSES = (
    "",
    "/{key}",
    "/{key}.json",
    "/{key}.csv",
    "/{key}/first.csv",
    "/exercise",
    "/exercise.csv",
    "/strategy.csv",
)


@pytest.fixture
def waiting(alice: Player) -> str:
    """The key of a job that nobody plays."""
    alice.post("/lab", [("strategy", "mimic"), ("rounds", "1000"), ("nonce", "n")])
    return str(alice.answer.json["run"])


@pytest.mark.parametrize("form", FORMS)
def test_no_get_plays_anything_or_changes_the_database_or_sets_a_cookie(
    app: Flask, alice: Player, waiting: str, form: str
) -> None:
    config = app.extensions["config"]
    assert config.lab_workers > 0
    before = rows(app)
    for address in ADDRESSES:
        path = f"/lab{address.format(key=waiting)}"
        for method in ("GET", "HEAD"):
            answer = alice.line.client.open(path, method=method, headers=headers(form), buffered=True)
            assert answer.status_code < 500, path
            assert "Set-Cookie" not in answer.headers, path
    with supervisor.lock(config.instance) as nobody_plays:
        assert nobody_plays
    assert rows(app) == before
