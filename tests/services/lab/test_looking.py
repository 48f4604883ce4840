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
def waiting(app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of a job whose supervisor is gone."""
    with monkeypatch.context() as patch:
        patch.setattr(supervisor, "ensure_running", lambda config: None)
        alice.post("/lab", [("strategy", "mimic"), ("rounds", "1000"), ("nonce", "n")])
    return str(alice.answer.json["run"])


@pytest.mark.parametrize("form", FORMS)
def test_no_get_starts_a_supervisor_or_changes_the_database_or_sets_a_cookie(
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
    started = supervisor._started.pop(config.instance, None)
    if started:
        started.kill()
        started.wait()
    assert started is None and not supervisor.is_running(config)
    assert rows(app) == before
