"""``/metrics``: for the operator alone, and without a word that a visitor has sent."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from tests.support.command_line import CommandResult
from tests.support.moves import CUT, dealt, finished
from tests.support.player import Player
from tests.support.table_players import bet_all, betting
from webapp.services.operations import metrics

TOKEN = "a token for tests, and no other"
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def counted(database_url: str, tmp_path: Path) -> Iterator[Flask]:
    app = make_app(database_url, tmp_path / "instance", TEFUDA_METRICS_TOKEN=TOKEN)
    yield app
    close(app)


def scraped(app: Flask) -> str:
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    return answer.get_data(as_text=True)


def number(text: str, sample: str) -> float:
    (found,) = [line for line in text.splitlines() if line.startswith(f"{sample} ")]
    return float(found.rpartition(" ")[2])


def test_what_was_done_is_counted(counted: Flask) -> None:
    alice = Player(counted.test_client())
    dealt(alice)
    alice.act("stand", step=alice.step)
    refused = alice.answer.json["error"]
    visitors = betting(counted, 2)
    text = scraped(counted)
    route = 'route="/play/<code>/<hand>/<step>"'
    assert number(text, f'tefuda_requests_total{{method="POST",{route},status="200"}}') == 1
    assert number(text, f'tefuda_requests_total{{method="POST",{route},status="422"}}') == 1
    assert number(text, f"tefuda_request_seconds_count{{{route}}}") == 2
    assert number(text, 'tefuda_actions_total{game="poker",verb="other"}') == 1
    assert number(text, f'tefuda_refusals_total{{code="{refused}"}}') == 1
    assert number(text, 'tefuda_open_hands{status="live"}') == 1
    assert number(text, f'tefuda_tables{{phase="{visitors[0].phase}"}}') == 1
    assert number(text, 'tefuda_lab_jobs{status="waiting"}') == 0
    assert number(text, "tefuda_streams") == 0
    assert number(text, 'tefuda_database_connections{state="in use"}') <= 1
    assert number(text, "tefuda_database_up") == 1


@on_sqlite
def test_no_label_holds_a_name_a_key_a_code_or_a_card(counted: Flask) -> None:
    alice = Player(counted.test_client())
    alice.post("/settings", [("name", "Grace Hopper")])
    dealt(alice)
    first = alice.hand
    alice.post(f"/play/poker/{first}/0", [("verb", "Secret-Word"), ("cut", "my-own-cut")])
    alice.post("/play/nowhere-at-all", [("table", "strange-table")])
    alice.get("/h/NoSuchKey1")
    alice.get("/no/such/address")
    alice.get("/t/QQQQQQ")
    key = finished(alice)
    alice.get(f"/h/{key}")
    visitors = betting(counted, 2)
    bet_all(visitors)
    strange = counted.test_client()
    strange.open("/", method="PROPFIND")
    text = scraped(counted)
    said = [first, key, visitors[0].code, CUT, "Grace", "Hopper", "Secret-Word", "my-own-cut", "nowhere-at-all"]
    said += ["strange-table", "NoSuchKey1", "no/such", "QQQQQQ", "PROPFIND"]
    assert [word for word in said if word in text] == []
    values = set(re.findall(r'(\w+)="([^"]*)"', text))
    assert {name for name, _ in values} == {
        *("method", "route", "status", "game", "verb", "code", "le", "phase", "state"),
    }
    routes = {rule.rule for rule in counted.url_map.iter_rules()}
    assert {value for name, value in values if name == "route"} <= routes | {"other"}


@on_sqlite
def test_nobody_else_sees_them(counted: Flask, app: Flask) -> None:
    for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer é"}):
        answer = counted.test_client().get("/metrics", headers=sent)
        assert (answer.status_code, "tefuda_" in answer.text) == (401, False)
    assert app.test_client().get("/metrics").status_code == 404, "and nobody at all where there is no token"


@on_sqlite
def test_the_last_audit_is_told(counted: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:
    assert "tefuda_audit" not in scraped(counted)
    assert tefuda("audit").status == 0
    text = scraped(counted)
    assert number(text, "tefuda_audit_findings") == 0
    assert number(text, "tefuda_audit_timestamp_seconds") > 1_600_000_000


@on_sqlite
def test_a_database_that_does_not_answer_is_told(counted: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    def lost(_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(metrics, "_numbers", lost)
    assert number(scraped(counted), "tefuda_database_up") == 0


def test_processes_count_together_and_what_dead_ones_have_left_goes(tmp_path: Path) -> None:
    """Each in a process of its own: the library reads the folder when it is loaded."""
    script = """
import sys
from pathlib import Path
from webapp.services.operations import metrics
metrics.share_among_processes(Path(sys.argv[1]))
own = metrics.Metrics()
own.count(metrics.Answered("GET", "/", 200, 0.01, None, None))
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry)
print(generate_latest(registry).decode())
print("READY", flush=True)
sys.stdin.read()
"""
    environ = {name: value for name, value in os.environ.items() if name != metrics.SHARED}
    command = [sys.executable, "-c", script, str(tmp_path)]

    def read(process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return "".join(iter(process.stdout.readline, "READY\n"))

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ)

    sample = 'tefuda_requests_total{method="GET",route="/",status="200"}'
    with start() as first:
        assert number(read(first), sample) == 1
        with start() as second:
            assert number(read(second), sample) == 2
            second.communicate()
        first.communicate()
    with start() as third:
        assert number(read(third), sample) == 1
        third.communicate()
