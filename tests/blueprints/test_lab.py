"""The lab's pages: a job is started once, seen by everybody, stopped by its owner; errors appear at their fields."""

import io
import re
import shutil
import time
from collections import Counter
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.answer_forms import FORMS
from tests.support.app import close, make_app
from tests.support.lab_work import HERE, play_turns, wait_for
from tests.support.player import Json, Player
from tests.support.rows import rows, tamper
from webapp.engine.games.blackjack.rules import PRESETS, parse_rules
from webapp.engine.simulation import basic_strategy, experiment
from webapp.engine.simulation.chunks import play_chunk
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_csv import dumps
from webapp.models import LabJob
from webapp.services.lab import jobs, queue, supervisor
from webapp.services.lab.lease import Lease
from webapp.services.lab.pool import play_words

ALFRED, BERTA = Lease("alfred"), Lease("berta")

CHART = dumps(strategy_by_name("mimic", PRESETS["vegas"]))


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make chunks small. The tests themselves play them."""
    monkeypatch.setattr(jobs, "CHUNK", 1_000)


@pytest.fixture
def lab(app: Flask) -> Flask:
    return app


def begin(player: Player, **fields: Any) -> Json:
    asked = {"table": "vegas", "strategy": "basic", "rounds": 3500, "seed": 5, "nonce": "n"} | fields
    player.post("/lab", [(name, str(value)) for name, value in asked.items() if value is not None])
    return player.answer.json  # type: ignore[no-any-return]


def look(player: Player, key: str) -> Json:
    return player.get(f"/lab/{key}").json  # type: ignore[no-any-return]


def text(player: Player, path: str, form: str = "page") -> str:
    return player.get(path, **FORMS[form]).text


# ------------------------------------------------------------------------------------------------ a job


def test_a_job_is_begun_played_and_found_again(lab: Flask, alice: Player, bob: Player) -> None:
    begun = begin(alice)
    assert (alice.status, begun["status"], begun["rounds"], begun["place"]) == (201, "waiting", 0, 0)
    play_turns(lab)
    found = look(bob, begun["run"])
    assert (found["status"], found["rounds"], found["asked"], found["seed"]) == ("done", 3500, 3500, 5)
    by_hand = experiment.Experiment(experiment.make_scenario("vegas", "basic"), 3500, 5, chunk=1000)
    nets = sum(sum(play_chunk(by_hand, n).results[0].distribution.values()) for n in range(4))
    assert sum(line["rounds"] for line in found["distribution"]) == nets == 3500
    assert found["mean"] == pytest.approx(sum(line["net"] * line["share"] for line in found["distribution"]))
    assert {"natural", "bust", "push", "double", "split", "surrender", "insurance"} <= set(found["rates"])
    page = text(bob, f"/lab/{begun['run']}")
    assert "3,500 of 3,500 rounds" in page and "hx-get" not in page
    assert "Stop, and keep" not in page


def test_a_job_names_its_table_and_strategy_as_the_page_does(alice: Player) -> None:
    named = text(alice, f"/lab/{begin(alice, table='vegas')['run']}")
    assert not {"vegas", "basic"} & set(re.findall(r"<code>(.*?)</code>", named))
    own = text(alice, f"/lab/{begin(alice, table='vegas,decks=4', nonce='m')['run']}")
    assert re.search(r"<code>.*decks=4.*</code>", own), "all own rules have the same name"


def test_the_same_form_sent_again_begins_nothing(lab: Flask, alice: Player) -> None:
    keys = {begin(alice)["run"] for _ in range(3)}
    assert len(keys) == 1
    with lab.app_context():
        assert len(rows(lab)["lab_job"]) == 1
    assert begin(alice, nonce="other")["run"] not in keys


def test_two_people_with_the_same_form_have_two_jobs(alice: Player, bob: Player) -> None:
    assert begin(alice)["run"] != begin(bob)["run"]


def test_a_plain_browser_is_sent_to_the_job_and_a_refresh_shows_it(lab: Flask, alice: Player) -> None:
    page = text(alice, "/lab")
    (nonce,) = re.findall(r'name="nonce" value="(\w+)"', page)
    fields = [("nonce", nonce), ("preset", "downtown"), ("strategy", "mimic"), ("rounds", "2 000")]
    for _ in range(2):
        answer = alice.post("/lab", fields, **FORMS["page"])
        assert answer.status == 303
    page = text(alice, answer.headers["location"])
    assert "Downtown, two decks&nbsp;· As the dealer" in page
    assert 'hx-trigger="every 1s"' in page and "<noscript>" in page
    fragment = text(alice, answer.headers["location"], "fragment")
    assert fragment.lstrip().startswith('<div id="run"')
    assert len(rows(lab)["lab_job"]) == 1


def test_stopping_keeps_what_was_counted(
    lab: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "TURN_SECONDS", 0.0)
    key = begin(alice, rounds=9_000)["run"]
    play_turns(lab, most=2)
    before = look(alice, key)
    assert 0 < before["rounds"] < 9_000
    assert bob.post(f"/lab/{key}/stop").status == 404, "it is not his"
    assert look(alice, key)["status"] == "waiting"
    alice.post(f"/lab/{key}/stop")
    play_turns(lab)
    after = look(alice, key)
    assert (after["status"], after["rounds"], after["mean"]) == ("stopped", before["rounds"], before["mean"])
    assert alice.post(f"/lab/{key}/stop").json["status"] == "stopped", "once more changes nothing"


def test_a_job_that_is_being_played_is_stopped_when_its_progress_is_saved(lab: Flask, alice: Player) -> None:
    key = begin(alice, rounds=9_000)["run"]
    with lab.app_context():
        assert ALFRED.begin_turn(key, 0)
    assert alice.post(f"/lab/{key}/stop").json["status"] == "running"
    assert "It is being stopped." in text(alice, f"/lab/{key}")
    with lab.app_context():
        row = jobs.db.session.get_one(LabJob, key)
        assert not ALFRED.save_progress(key, 0, jobs.statistics_of(row), 1.0)
    assert look(alice, key)["status"] == "stopped"


def test_in_turns_the_result_is_the_same_as_in_one_go(
    lab: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = begin(alice, rounds=5_500)["run"]
    play_turns(lab)
    monkeypatch.setattr(supervisor, "TURN_SECONDS", 0.0)
    pieces, other = begin(alice, rounds=5_500, nonce="m")["run"], begin(bob, rounds=4_000, seed=6)["run"]
    assert play_turns(lab) > 8
    a, b = look(alice, whole), look(alice, pieces)
    assert a["distribution"] == b["distribution"] and a["convergence"] == b["convergence"]
    assert look(bob, other)["status"] == "done"


def test_a_place_in_the_queue_is_shown(alice: Player, bob: Player) -> None:
    first, second = begin(alice)["run"], begin(alice, nonce="m")["run"]
    time.sleep(0.002)
    third = begin(bob)["run"]
    assert [look(alice, key)["place"] for key in (first, third, second)] == [0, 1, 2]
    assert "2 simulations are ahead of it in the queue." in text(alice, f"/lab/{second}")


def test_a_visitor_has_three_at_a_time(lab: Flask, alice: Player, bob: Player) -> None:
    for n in range(3):
        begin(alice, nonce=f"n{n}")
    refused = begin(alice, nonce="n3")
    assert (alice.status, refused["error"]) == (429, "lab-too-many")
    assert begin(alice, nonce="n0")["status"] == "waiting", "what was begun is not refused"
    begin(bob)
    assert bob.status == 201
    play_turns(lab)
    begin(alice, nonce="n3")
    assert alice.status == 201


def test_the_lab_is_full_at_some_point(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_ALL", 1)
    begin(alice)
    assert (begin(bob)["error"], bob.status) == ("lab-busy", 429)


def test_a_flood_is_held_back(tmp_path: Path, blank_sqlite: Path) -> None:
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    app = make_app(f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path, TEFUDA_RATE_LIMITS="on")
    visitor = Player(app.test_client())
    statuses = [visitor.post("/lab", [("rounds", "none")]).status for _ in range(25)]
    assert statuses[:20] == [422] * 20 and statuses[-1] == 429
    close(app)


def test_what_a_supervisor_left_is_put_back_into_the_queue_and_said_so(lab: Flask, alice: Player) -> None:
    """After a kill, stored results are kept and the remaining chunks are run again with the same result."""
    whole = begin(alice, rounds=4_000)["run"]
    play_turns(lab)
    key = begin(alice, rounds=4_000, nonce="m")["run"]
    with lab.app_context():
        ALFRED.begin_turn(key, 0)
        BERTA.requeue_orphans(ALFRED.name)
    assert "not finished" in text(alice, f"/lab/{key}")
    play_turns(lab)
    found = look(alice, key)
    assert (found["status"], found["interrupted"]) == ("done", 1)
    assert found["distribution"] == look(alice, whole)["distribution"]
    assert "the figures are the same as without" in text(alice, f"/lab/{key}")
    assert look(alice, whole)["interrupted"] == 0


def test_progress_that_is_saved_too_late_changes_nothing(lab: Flask, alice: Player) -> None:
    key = begin(alice)["run"]
    with lab.app_context():
        ALFRED.begin_turn(key, 0)
        empty = jobs.statistics_of(jobs.db.session.get_one(LabJob, key))
        assert not ALFRED.save_progress(key, 7, empty, 1.0)
    assert look(alice, key)["rounds"] == 0


def test_a_job_that_another_machine_plays_is_left_alone(lab: Flask, alice: Player) -> None:
    """It is taken over once its heartbeat is older than the longest time a running supervisor is silent."""
    whole = begin(alice, rounds=4_000)["run"]
    play_turns(lab)
    key = begin(alice, rounds=4_000, nonce="m")["run"]
    with lab.app_context():
        assert ALFRED.begin_turn(key, 0)
        BERTA.requeue_orphans("who worked here before")
        assert BERTA.next_job() is None and not BERTA.begin_turn(key, 0)
        empty = jobs.statistics_of(jobs.db.session.get_one(LabJob, key))
        for write in (BERTA.heartbeat, BERTA.yield_turn, lambda key: BERTA.save_progress(key, 0, empty, 1.0)):
            write(key)
        BERTA.finish(key, "failed")
        jobs.db.session.remove()
    found = look(alice, key)
    assert (found["status"], found["interrupted"]) == ("running", 0)
    tamper(lab, "UPDATE lab_job SET heartbeat_at = heartbeat_at - 31000 WHERE key = :key", key=key)
    with lab.app_context():
        ALFRED.heartbeat(key)
        assert BERTA.next_job() is None
    tamper(lab, "UPDATE lab_job SET heartbeat_at = heartbeat_at - 31000 WHERE key = :key", key=key)
    play_turns(lab, lease=BERTA)
    with lab.app_context():
        assert not ALFRED.save_progress(key, 0, empty, 1.0), "it is not gone after all, and comes too late"
    found = look(alice, key)
    assert (found["status"], found["interrupted"]) == ("done", 1)
    assert found["distribution"] == look(alice, whole)["distribution"]


def test_a_supervisor_that_runs_as_a_service_waits_for_its_turn(
    lab: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it ended at once, the service manager would restart it again and again."""
    monkeypatch.setattr(supervisor, "POLL_SECONDS", 0.02)
    key, config = begin(alice)["run"], lab.extensions["config"]

    def run() -> None:
        with lab.app_context():
            supervisor.run_forever(config, lambda: nullcontext(HERE), idle=2)

    with supervisor.lock(config.instance) as taken:
        assert taken
        service = Thread(target=run)
        service.start()
        assert look(alice, key)["rounds"] == 0
    wait_for(alice, key, "done")
    service.join()


def test_a_supervisor_goes_on_with_what_was_begun_in_the_same_instance(
    lab: Flask, database_url: str, alice: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines with two folders share one database."""
    monkeypatch.setattr(supervisor, "POLL_SECONDS", 0.02)
    key, other = begin(alice)["run"], make_app(database_url, tmp_path / "another machine")
    (lab.extensions["config"].instance / "lab.supervisor").unlink(missing_ok=True)
    with lab.app_context():
        killed, former = supervisor._succeed(lab.extensions["config"].instance)
        assert former is None and killed.begin_turn(key, 0)
    with other.app_context():
        supervisor.run_forever(other.extensions["config"], lambda: nullcontext(HERE), idle=0.05)
    found = look(alice, key)
    assert (found["status"], found["interrupted"]) == ("running", 0)
    with lab.app_context():
        supervisor.run_forever(lab.extensions["config"], lambda: nullcontext(HERE), idle=0.05)
    found = look(alice, key)
    assert (found["status"], found["interrupted"], found["rounds"]) == ("done", 1, 3500)
    close(other)


def test_one_of_something_is_said_as_one(lab: Flask, alice: Player) -> None:
    page = text(alice, "/lab/exercise?seed=7&games=1&decks=1")
    assert ">1 game<" in page and "from 1 deck." in page
    assert "from 2 decks." in text(alice, "/lab/exercise?seed=7")
    begin(alice)
    second = begin(alice, nonce="m")["run"]
    assert "1 simulation is ahead of it in the queue." in text(alice, f"/lab/{second}")
    tamper(
        lab, "UPDATE lab_job SET status = 'running', supervisor = 'x', heartbeat_at = 1 WHERE key = :key", key=second
    )
    with lab.app_context():
        row = jobs.db.session.get_one(LabJob, second)
        played = jobs.statistics_of(row) + play_words(jobs.words_of(row), 0)
        Lease("x").save_progress(second, 0, played, 0.1)
    assert ", 1 second to go." in text(alice, f"/lab/{second}")


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyError, BrokenProcessPool])
def test_a_job_that_cannot_be_played_does_not_keep_the_others_from_their_turn(
    lab: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def play(asked: experiment.Experiment, number: int) -> Any:
        if asked.seed == 13:
            raise fault("of no use")
        return play_chunk(asked, number)

    monkeypatch.setattr("webapp.engine.simulation.chunks.play_chunk", play)
    bad, good = begin(alice, seed=13)["run"], begin(bob)["run"]
    play_turns(lab)
    assert (look(alice, bad)["status"], look(bob, good)["status"]) == ("failed", "done")
    assert "That is our fault" in text(alice, f"/lab/{bad}")


def test_what_was_stopped_before_it_began_is_no_estimate(lab: Flask, alice: Player) -> None:
    key = begin(alice)["run"]
    alice.post(f"/lab/{key}/stop")
    page = text(alice, f"/lab/{key}")
    assert "Stopped before anything was counted." in page and "kept, and is an estimate" not in page


def test_two_are_compared(lab: Flask, alice: Player) -> None:
    key = begin(alice, other_table="vegas,soft_17=hit", other_strategy="mimic", rounds=4_000)["run"]
    play_turns(lab)
    found = look(alice, key)
    assert found["difference"]["mean"] == pytest.approx(found["mean"] - found["other"]["mean"])
    assert found["other_table"] == "vegas,soft_17=hit"
    page = text(alice, f"/lab/{key}")
    assert "Each round has a freshly shuffled shoe" in page and "Cut card" not in page, "as the kernel deals it"
    assert "The first minus the second" in page and "How the difference settles down" in page
    scenarios = {line.split(",")[0] for line in alice.get(f"/lab/{key}.csv").text.splitlines()[1:]}
    assert scenarios == {"first", "second", "difference"}
    assert "<title>Las Vegas, six decks&nbsp;· Basic strategy against Own rules&nbsp;· As the dealer" in page


AS_THE_FORM_SENDS_IT = {"other_preset": "", "other_strategy": "", "other_rule_decks": "", "other_rule_soft_17": ""}


@pytest.mark.parametrize(
    "filled_in, compared_with",
    [
        ({"other_preset": "downtown"}, ("downtown", "stand-16")),
        ({"other_strategy": "mimic"}, ("vegas,decks=2", "mimic")),
        ({"other_rule_soft_17": "hit"}, ("vegas,decks=2,soft_17=hit", "stand-16")),
        ({"other_rule_decks": "6", "other_strategy": "basic"}, ("vegas", "basic")),
        ({"other_preset": "single", "other_rule_soft_17": "stand"}, ("single,soft_17=stand", "stand-16")),
    ],
)
def test_a_second_scenario_that_is_filled_in_is_compared(
    alice: Player, filled_in: dict[str, str], compared_with: tuple[str, str]
) -> None:
    """No checkbox is needed, and fields left empty take the value of the first scenario."""
    fields = {"preset": "vegas", "rule_decks": "2", "strategy": "stand-16"} | AS_THE_FORM_SENDS_IT | filled_in
    begun = begin(alice, table=None, **fields)
    assert (begun["table"], begun["strategy"]) == ("vegas,decks=2", "stand-16")
    assert (begun["other_table"], begun["other_strategy"]) == compared_with


def test_a_second_scenario_that_is_left_empty_is_not_compared(alice: Player) -> None:
    assert "other_table" not in begin(alice, **AS_THE_FORM_SENDS_IT)
    page = text(alice, "/lab")
    assert 'name="compare"' not in page
    assert {f'name="{name}"' for name in AS_THE_FORM_SENDS_IT} <= set(re.findall(r'name="\w+"', page))


def test_an_uploaded_chart_alone_is_compared_and_the_second_scenario_may_take_the_chart_of_the_first(
    lab: Flask,
) -> None:
    for number, name in enumerate(("other_sheet", "sheet")):
        fields = {
            "table": "vegas",
            "rounds": "1000",
            "nonce": f"n{number}",
            name: (io.BytesIO(CHART.encode()), "mine.csv"),
        }
        more = {"strategy": "basic"} if name == "other_sheet" else {"other_preset": "single", "other_strategy": ""}
        answer = lab.test_client().post(
            "/lab", data=fields | more, content_type="multipart/form-data", headers={"Sec-Fetch-Site": "same-origin"}
        )
        seen = Player(lab.test_client())
        assert look(seen, answer.location.rsplit("/")[-1])["other_strategy"] == "sheet"
        assert seen.get(f"{answer.location}/second.csv").text == CHART


def test_the_figures_are_there_as_json_and_csv(lab: Flask, alice: Player) -> None:
    key = begin(alice)["run"]
    play_turns(lab)
    assert alice.get(f"/lab/{key}.json").json == look(alice, key)
    heading, *lines = alice.get(f"/lab/{key}.csv").text.splitlines()
    assert heading == "side,net_in_bets,rounds,share"
    assert sum(int(line.split(",")[2]) for line in lines) == 3500
    assert "attachment" in alice.answer.headers["content-disposition"]


def test_a_link_asks_for_the_same_again(alice: Player) -> None:
    key = begin(alice, table="downtown,decks=3", strategy="stand-16", rounds=1234, seed=99, bet=25)["run"]
    (again,) = re.findall(r'href="(/lab\?[^"]+)"', text(alice, f"/lab/{key}"))
    page = text(alice, again.replace("&amp;", "&"))
    for part in (
        'value="downtown" selected',
        'value="stand-16" selected',
        'value="1234"',
        'value="99"',
        'value="25"',
        'value="3" selected',
    ):
        assert part in page, part


def test_other_rules_are_written_the_one_right_way(alice: Player) -> None:
    begun = begin(alice, table=None, preset="single", rule_decks="2", rule_surrender="late", rule_soft_17="")
    assert begun["table"] == "single,decks=2,surrender=late"


def test_jobs_are_listed_for_the_player_who_began_them(alice: Player, bob: Player) -> None:
    key = begin(alice)["run"]
    assert key in text(alice, "/lab") and key not in text(bob, "/lab")
    assert [run["run"] for run in alice.get("/lab").json["runs"]] == [key]


# ------------------------------------------------------------------------------------------------ bad input


ROUNDS = "Choose how many rounds to play: a whole number from 1 to 20,000,000."
TABLE = "There is no table with these rules."


@pytest.mark.parametrize(
    "field, values, says",
    [
        ("rounds", ("0", "-1", "1" + "0" * 30, "many", "", "1.5", "0x10", "20000001", "1e9", "\0", "１.5"), ROUNDS),
        ("seed", ("-1", "a", "1" * 40, str(2**63)), "Choose a seed: a whole number from 0 to 9,223,372,036,854,775,807."),
        ("bet", ("0", "1001", "-5", "a"), "Choose a bet: a whole number from 1 to 1,000."),
        ("table", ("none", "vegas,decks=9", "vegas,decks=2,decks=2", "VEGAS", "x" * 3000, "quest", "classic,naturals=true"), TABLE),
        ("other_table", ("none", "vegas,decks=0"), TABLE),
        ("strategy", ("none", "stand-3", "stand-99", "BASIC", "x" * 900), "We do not know this strategy."),
        ("strategy", ("sheet",), "Choose the file with your own table."),
        ("nonce", ("no word", "x" * 65), "Parts of the form are missing or were changed. Nothing was begun."),
    ],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused_with_a_sentence(
    lab: Flask, alice: Player, field: str, values: tuple[str, ...], says: str
) -> None:
    for value in values:
        refused = begin(alice, **{field: value})
        assert alice.status == 422 and says in refused["message"], value
    fields = {"table": "vegas", "strategy": "basic", "rounds": "1000", "nonce": "n"} | {field: values[0]}
    answer = alice.post("/lab", list(fields.items()), **FORMS["page"])
    assert answer.status == 422 and says in answer.text
    assert field == "nonce" or answer.text.count("tools__tile") == 4, "the same page"
    assert rows(lab)["lab_job"] == []


def test_a_job_has_twenty_million_rounds_at_most(tmp_path: Path, blank_sqlite: Path) -> None:
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    url = f"sqlite:///{tmp_path / 'room.sqlite3'}"
    app = make_app(url, tmp_path, TEFUDA_LAB_WORKERS="0")
    visitor = Player(app.test_client())
    assert "from 1 to 20,000,000." in begin(visitor, rounds=20_000_001)["message"]
    begin(visitor, rounds=20_000_000)
    assert visitor.status == 201
    close(app)
    with pytest.raises(ValueError, match="TEFUDA_LAB_WORKERS"):
        make_app(url, tmp_path, TEFUDA_LAB_WORKERS="-1")


def upload(client: FlaskClient, raw: bytes, **fields: str) -> Any:
    asked = {"table": "vegas", "rounds": "1000", "nonce": "n", "sheet": (io.BytesIO(raw), "mine.csv")} | fields
    return client.post(
        "/lab", data=asked, content_type="multipart/form-data", headers={"Sec-Fetch-Site": "same-origin"}
    )


def test_a_table_of_ones_own_is_played(lab: Flask) -> None:
    client = lab.test_client()
    answer = upload(client, CHART.encode())
    assert answer.status_code == 303
    named_one = Player(lab.test_client())
    key = begin(named_one, strategy="mimic", rounds=1000, seed=8)["run"]
    own = upload(lab.test_client(), CHART.encode(), seed="8", strategy="basic")
    play_turns(lab)
    assert look(named_one, own.location.rsplit("/")[-1])["distribution"] == look(named_one, key)["distribution"]
    assert "A table of one’s own" in text(named_one, answer.location)


def test_the_table_of_ones_own_is_there_for_whoever_has_the_link(lab: Flask, alice: Player) -> None:
    """The page shows rules, strategy, seed and rounds, so that anybody can repeat the simulation."""
    address = upload(lab.test_client(), CHART.encode(), other_table="downtown", other_strategy="mimic").location
    assert f'href="{address}/first.csv"' in text(alice, address)
    assert alice.get(f"{address}/first.csv").text == CHART
    for missing in (f"{address}/second.csv", "/lab/nothing/first.csv", f"{address}/third.csv"):
        assert alice.get(missing).status == 404
    alone = begin(alice)["run"]
    assert [alice.get(f"/lab/{alone}/{side}.csv").status for side in ("first", "second")] == [404, 404]


@pytest.mark.parametrize(
    "raw, says",
    [
        (CHART.replace("12,", "12,X", 1).encode(), "Line 10, column 2: one of S H Dh Ds Rh Rs is expected here, and “XH” was found."),
        ("\n".join(line for line in CHART.split("\n") if not line.startswith("14")).encode(), "has no line for 14"),
        (b"\xff" + CHART.encode(), "Line 1, column 1: This is not UTF-8 text"),
        (b"a,b\n", "The first line must read: hand,2,3,4,5,6,7,8,9,T,A"),
        (b"x" * 9000, "This file is too long for a table"),
    ],
    ids=["word", "hole", "encoding", "heading", "long"],
)  # fmt: skip
def test_a_table_that_is_wrong_is_refused_with_line_and_column(lab: Flask, raw: bytes, says: str) -> None:
    answer = upload(lab.test_client(), raw)
    assert answer.status_code == 422
    assert says in answer.get_data(as_text=True)
    assert rows(lab)["lab_job"] == []


def test_a_strategy_or_table_that_there_is_not_cannot_be_had_as_a_table(alice: Player) -> None:
    for query, code in (
        ("strategy=zz", "bad-strategy"),
        ("strategy=stand-3", "bad-strategy"),
        ("table=zz", "bad-setup"),
        ("table=", "bad-setup"),
        ("strategy=mimic&table=", "bad-setup"),
    ):
        assert (alice.get(f"/lab/strategy.csv?{query}").status, alice.answer.json["error"]) == (422, code)
    assert alice.get("/lab/strategy.csv?strategy=stand-15&table=vegas,decks=2").status == 200


def test_a_basic_strategy_is_computed_once_for_all_rules_that_do_not_change_it(alice: Player) -> None:
    same = ("", ",penetration=0.5", ",blackjack_pays=6:5", ",insurance=false", ",split_by=rank", ",lose=all")
    texts = {alice.get(f"/lab/strategy.csv?table=vegas,decks=7{rules}").text for rules in same}
    computed = {id(basic_strategy.basic_strategy(parse_rules(f"vegas,decks=7{rules}"))) for rules in same}
    assert len(texts) == len(computed) == 1
    assert alice.get("/lab/strategy.csv?table=vegas,decks=7,soft_17=hit").text not in texts


def test_who_asks_for_ever_other_strategies_is_held_back(tmp_path: Path, blank_sqlite: Path) -> None:
    shutil.copy(blank_sqlite, tmp_path / "room.sqlite3")
    app = make_app(f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path, TEFUDA_RATE_LIMITS="on")
    visitor = Player(app.test_client())
    statuses = [visitor.get("/lab/strategy.csv?strategy=mimic").status for _ in range(11)]
    assert statuses == [200] * 10 + [429]
    close(app)


def test_ten_million_bytes_are_too_much(lab: Flask) -> None:
    head = '--x\r\nContent-Disposition: form-data; name="sheet"; filename="a.csv"\r\n\r\n'
    body = head.encode() + b"x" * 10_000_000 + b"\r\n--x--\r\n"
    answer = lab.test_client().post("/lab", data=body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 413
    assert "That was too much at once." in answer.get_data(as_text=True)


def test_jobs_that_do_not_exist_are_not_found(alice: Player) -> None:
    for key in ("nothing", "x" * 300, "a%00b", "%E6%9C%AD", "0" * 16):
        for path in (f"/lab/{key}", f"/lab/{key}.json", f"/lab/{key}.csv"):
            assert alice.get(path).status == 404
            assert alice.get(path, **FORMS["page"]).status == 404
        assert alice.post(f"/lab/{key}/stop").status == 404


# ------------------------------------------------------------------------------------------------ the exercise


def test_the_exercise_shows_every_game_and_the_sum(alice: Player) -> None:
    payload = alice.get("/lab/exercise?seed=7").json
    assert payload == alice.get("/lab/exercise?seed=7").json, "reproducible"
    assert len(payload["games"]) == 12
    assert payload["total"] == sum(game["score"] for game in payload["games"]) == -8
    assert payload["mean"] == pytest.approx(-8 / 12)
    assert payload["expected"]["sum"] == pytest.approx(12 * -0.11713218)
    page = text(alice, "/lab/exercise?seed=7")
    assert page.count('class="played ') == 12
    assert page.count('role="img"') == sum(len(game["player"]) + len(game["dealer"]) for game in payload["games"]) + 1
    assert "−8" in page and "plot__bar--here" in page
    lines = alice.get("/lab/exercise.csv?seed=7").text.splitlines()
    assert len(lines) == 13 and lines[1] == "1,KcJs6d,26,4sQh,14,BUST,-2".replace("KcJs6d", "Kc 6d Js").replace(
        "4sQh", "4s Qh"
    )


def test_the_exercise_has_its_options(alice: Player) -> None:
    payload = alice.get("/lab/exercise?seed=3&games=40&decks=1&stand=12&natural_beats_21=1&one_shoe=1").json
    assert (len(payload["games"]), payload["decks"], payload["stand"]) == (40, 1, 12)
    assert payload["natural_beats_21"] and payload["one_shoe"]
    assert min(game["player_total"] for game in payload["games"]) >= 12
    seeds = {alice.get("/lab/exercise").json["seed"] for _ in range(3)}
    assert len(seeds) == 3, "by chance, where none is named"


def test_an_exercise_that_cannot_be_is_refused(alice: Player) -> None:
    wrong = ("seed=x", "seed=-1", "games=0", "games=101", "games=1e3", "decks=9", "decks=0", "stand=11", "stand=22")
    for query, form in product(wrong, FORMS.values()):
        answer = alice.get(f"/lab/exercise?{query}", **form)
        assert answer.status == 422, query
        assert ": a whole number from" in answer.text


# ------------------------------------------------------------------------------------------------ without it


@pytest.fixture
def bare(lab: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A site where NumPy is not installed."""
    monkeypatch.setattr(jobs, "is_equipped", lambda: False)
    return lab


def test_without_numpy_the_page_says_so_and_the_exercise_is_played(bare: Flask) -> None:
    visitor = Player(bare.test_client())
    assert "pip install" in text(visitor, "/lab")
    assert (begin(visitor)["error"], visitor.status) == ("lab-bare", 404)
    page = text(visitor, "/lab/exercise?seed=7")
    assert page.count('class="played ') == 12 and "plot__bar" in page
    assert visitor.get("/lab/exercise?seed=7").json["expected"]["mean"] < 0


@pytest.mark.parametrize("games", [2, 12, 100])
def test_games_from_one_shoe_say_how_many_shoes_that_were(alice: Player, games: int) -> None:
    address = f"/lab/exercise?seed=3&decks=1&games={games}&one_shoe=1"
    found = alice.get(address).json
    dealt = Counter(card for game in found["games"] for card in (*game["player"], *game["dealer"]))
    assert dealt.total() / 52 <= found["shoes"] <= dealt.total() / (52 - 30) + 1
    assert max(dealt.values()) <= found["shoes"], "a card comes once from each"
    page = text(alice, address)
    assert ("One shoe was not enough" in page) == (found["shoes"] > 1) == (games > 2)
    assert alice.get(address.replace("&one_shoe=1", "")).json["shoes"] == games
