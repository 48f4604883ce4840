"""/healthz and /readyz: a process that responds is healthy, one that can also write is ready."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, event, text

from tests.support.player import Player
from tests.support.server import Server
from webapp.extensions import db
from webapp.services.core.database import IN_TRANSACTION, begin
from webapp.services.operations import readiness

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def _ask_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "KEPT_SECONDS", 0)


def test_a_site_that_can_be_played_in_is_ready(app: Flask, client: FlaskClient) -> None:
    for _ in range(2):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.text, answer.mimetype) == (200, "ok\n", "text/plain")


def test_a_site_of_another_revision_is_not_ready(app: Flask, client: FlaskClient) -> None:
    def revise(revision: str) -> str:
        with app.app_context():
            before: str = db.session.scalar(text("SELECT version_num FROM alembic_version"))
            db.session.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
            db.session.commit()
            db.session.remove()
        return before

    before = revise("0001")
    try:
        answer = client.get("/readyz")
        assert (answer.status_code, "revision 0001" in answer.text) == (503, True)
        assert int(answer.headers["Retry-After"]) > 0
        assert client.get("/healthz").status_code == 200, "it answers"
    finally:
        revise(before)


def test_a_site_whose_database_is_locked_is_not_ready(app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    assert readiness.SECONDS == 2
    monkeypatch.setattr(readiness, "SECONDS", 0.2)
    monkeypatch.setitem(app.extensions, "probe", readiness.Probe(app.extensions["config"]))
    with app.app_context(), db.engine.connect().execution_options(**IN_TRANSACTION[db.engine.dialect.name]) as other:
        begin(other)
        other.execute(text("UPDATE alembic_version SET version_num = version_num"))
        assert client.get("/readyz").status_code == 503
        assert client.get("/healthz").status_code == 200, "it answers"
        other.rollback()
    assert client.get("/readyz").status_code == 200


@on_sqlite
def test_a_site_without_room_on_the_disk_is_not_ready(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "FREE", 2**60)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the disk is full\n")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_many_questions_cost_one_connection(app: Flask, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr(readiness, "KEPT_SECONDS", 3600)
    monkeypatch.setitem(app.extensions, "probe", readiness.Probe(app.extensions["config"]))
    connected: list[object] = []
    count = connected.append
    event.listen(Engine, "engine_connect", count)
    try:
        assert {app.test_client().get(path).status_code for _ in range(5)} == {200}
    finally:
        event.remove(Engine, "engine_connect", count)
    assert len(connected) == 1


@contextmanager
def locked(server: Server) -> Iterator[None]:
    with closing(sqlite3.connect(server.instance / "tefuda.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_site_that_has_lost_its_database_is_neither_alive_nor_ready(serving: Callable[..., Server]) -> None:
    """Connections that are already open would still work."""
    limits = {"webapp.services.operations.readiness.KEPT_SECONDS": 0.001}
    server = serving(TEFUDA_LAB_WORKERS="0", limits=limits)
    alice = Player(server.url)
    assert alice.sit("poker")["hand"]
    for path in Path(server.instance).glob("tefuda.sqlite3*"):
        path.unlink()
    for path in ("/healthz", "/readyz"):
        answer = alice.get(path)
        assert (answer.status, "does not answer" in answer.text) == (503, True), answer.text
    assert not (server.instance / "tefuda.sqlite3").exists(), "nor is an empty one made by asking"


def test_a_locked_database_is_a_503_that_says_when_to_come_back(serving: Callable[..., Server]) -> None:
    short = {"webapp.config.LOCK_SECONDS": 0.3, "webapp.services.operations.readiness.SECONDS": 0.2}
    limits = short | {"webapp.services.operations.readiness.KEPT_SECONDS": 0.001}
    server = serving(TEFUDA_LAB_WORKERS="0", limits=limits)
    alice = Player(server.url)
    assert alice.sit("poker")["hand"]
    with locked(server):
        assert alice.get("/healthz").status == 200
        assert alice.get("/readyz").status == 503
        refused = alice.post("/play/joker", [])
        assert (refused.status, refused.json["error"]) == (503, "unavailable")
        assert int(refused.headers["retry-after"]) > 0
    assert alice.sit("joker")["hand"]
