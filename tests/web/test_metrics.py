"""``/metrics``: for the operator only, and without any text that a visitor has sent."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.support.app import close, make_app
from tests.support.command_line import CommandResult
from tests.support.moves import CUT, dealt, finished, next_move
from tests.support.player import Json, Player
from tests.support.project_files import ROOT
from tests.support.streams import OpenStream
from tests.support.table_players import TablePlayer, bet_all, betting, play_out, see_all
from webapp.services.operations import metrics

TOKEN = "a token for tests, and no other"


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
    assert number(text, 'tefuda_actions_total{game="poker",verb="deal"}') == 1
    assert number(text, f'tefuda_refusals_total{{code="{refused}"}}') == 1
    assert number(text, 'tefuda_open_hands{status="live"}') == 1
    assert number(text, f'tefuda_tables{{phase="{visitors[0].phase}"}}') == 1
    assert number(text, 'tefuda_lab_jobs{status="waiting"}') == 0
    assert number(text, "tefuda_streams") == 0
    assert number(text, 'tefuda_database_connections{state="in use"}') <= 1
    assert number(text, "tefuda_database_up") == 1


def actions_in(text: str) -> Counter[tuple[str, str]]:
    found = re.findall(r'^tefuda_actions_total{game="(.*)",verb="(.*)"} (.*)$', text, re.MULTILINE)
    return Counter({(game, verb): int(float(count)) for game, verb, count in found})


def test_each_action_is_counted_by_its_verb_and_a_copy_or_a_late_one_never(counted: Flask) -> None:
    done: Counter[tuple[str, str]] = Counter()
    random = Random(21)
    for game, hands in (("poker", 12), ("joker", 12), ("blackjack", 24)):
        alice = Player(counted.test_client())
        while done[game, "deal"] < hands or (game == "blackjack" and not done[game, "split"]):
            dealt(alice, game=game)
            done[game, "deal"] += 1
            while not alice.over:
                action, step = next_move(alice.board, random), alice.step
                verb, *args = action.split("-")
                alice.do(action)
                done[game, verb] += 1
                alice.act(verb, *map(int, args), step=step)
                assert alice.board["note"] == "repeated"
                alice.act("never-a-verb", step=step)
                alice.act("never-a-verb")
                assert alice.status in (400, 409, 422)
    counts = actions_in(scraped(counted))
    assert counts == done
    assert {verb for game, verb in counts if game == "blackjack"} >= {"hit", "stand", "double", "split"}


class Tallied(TablePlayer):
    """A player who counts completed actions."""

    def __init__(self, client: FlaskClient, done: Counter[tuple[str, str]]) -> None:
        super().__init__(client)
        self.done = done

    def do(self, verb: str, *args: Any, **more: Any) -> Json:  # type: ignore[override]
        said = super().do(verb, *args, **more)
        if self.status == 200:
            self.done["table21", verb] += 1
        return said


def test_each_command_at_a_table_is_counted_by_its_verb(counted: Flask) -> None:
    done: Counter[tuple[str, str]] = Counter()
    visitors = [Tallied(counted.test_client(), done) for _ in range(3)]
    code = visitors[0].open()
    for seat, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.do("sit", seat)
    for _ in range(30):
        for visitor in visitors:
            visitor.now("ready")
            assert visitor.status == 200, visitor.answer.text
        see_all(visitors)
        bet_all(visitors)
        play_out(visitors, ("hit", "stand") if ("table21", "hit") not in done else ("stand", "hit"))
        if ("table21", "hit") in done and ("table21", "stand") in done:
            break
    alice, bob, _ = visitors
    for visitor, verb, arg in ((bob, "leave", None), (alice, "policy", "timid"), (alice, "bot", 4)):
        visitor.now(verb, arg)
        assert visitor.status == 200, visitor.answer.text
    before = Counter(done)
    for verb, version in (("never-a-verb", None), ("bet", 1), ("hit", 1)):
        alice.do(verb, "10", version=version)
        assert alice.status in (400, 409, 422)
    assert done == before == actions_in(scraped(counted))
    assert {verb for _, verb in done} == {"sit", "ready", "bet", "hit", "stand", "leave", "policy", "bot"}


def test_each_process_counts_for_itself(counted: Flask, database_url: str, tmp_path: Path) -> None:
    """Two apps on one database and one instance folder stand for two services behind a proxy."""
    other = make_app(database_url, tmp_path / "instance", TEFUDA_METRICS_TOKEN=TOKEN)
    dealt(Player(counted.test_client()))
    visitors = betting(counted, 2)
    stream = OpenStream(counted.test_client(), visitors[0].code)
    here, there = scraped(counted), scraped(other)
    stream.close()
    close(other)
    assert actions_in(here) >= Counter({("poker", "deal"): 1})
    assert actions_in(there) == Counter()
    assert [number(text, "tefuda_streams") for text in (here, there)] == [1, 0]
    assert [number(text, 'tefuda_open_hands{status="live"}') for text in (here, there)] == [1, 1]


def test_names_and_labels_are_those_that_the_documents_have(counted: Flask) -> None:
    rows = re.findall(
        r"^\| (`tefuda_.*?) \|(.*)\|$", (ROOT / "docs" / "operations.md").read_text("utf-8"), re.MULTILINE
    )
    documented = {name: set(re.findall(r"\w+", labels)) for names, labels in rows for name in re.findall(r"\w+", names)}
    alice = Player(counted.test_client())
    dealt(alice)
    alice.act("stand", step=alice.step)
    metrics.keep_verdict(counted.extensions["config"].instance, 0)
    found = dict[str, set[str]]()
    for family in text_string_to_metric_families(scraped(counted)):
        name = f"{family.name}_total" if family.type == "counter" else family.name
        found[name] = {label for sample in family.samples for label in sample.labels} - {"le"}
    assert found == documented


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


def test_nobody_else_sees_them(counted: Flask, app: Flask) -> None:
    for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer é"}):
        answer = counted.test_client().get("/metrics", headers=sent)
        assert (answer.status_code, "tefuda_" in answer.text) == (401, False)
    assert app.test_client().get("/metrics").status_code == 404, "and nobody at all where there is no token"


def test_the_last_audit_is_told(counted: Flask, tmp_path: Path, tefuda: Callable[..., CommandResult]) -> None:
    assert "tefuda_audit" not in scraped(counted)
    assert tefuda("audit").status == 0
    text = scraped(counted)
    assert number(text, "tefuda_audit_findings") == 0
    assert number(text, "tefuda_audit_timestamp_seconds") > 1_600_000_000


def test_a_database_that_does_not_answer_is_told(counted: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    def lost(_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(metrics, "_numbers", lost)
    assert number(scraped(counted), "tefuda_database_up") == 0
