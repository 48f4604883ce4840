"""The lab's part about counting: a form without scripts, a job like any other, and the figures of the command line."""

import csv
import json
import re
from html import unescape
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.lab_work import play_turns
from tests.support.player import Json, Player
from tests.support.rows import rows
from webapp.cli import main
from webapp.services.lab import jobs, supervisor

PAGE = FORMS["page"]
CHUNK = 2_000
COUNTING = {"count": "hi-lo", "ramp": "1-8", "other_ramp": "0:0,1:3", "bankroll": "200", "trip": "3,000"}
TABLE = "single,split_by=none"
"""A table whose index numbers take seconds."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CHUNK", CHUNK)


def begin(player: Player, **fields: Any) -> Json:
    asked = {"table": "downtown", "rounds": 9_000, "seed": 5, "nonce": "n"} | COUNTING | fields
    player.post("/lab", [(name, str(value)) for name, value in asked.items()])
    return player.answer.json  # type: ignore[no-any-return]


def by_command(*words: str) -> Json:
    """Return what the command line says of the same rounds."""
    command = ["lab", "run", "--rounds", "9000", "--seed", "5", "--chunk", str(CHUNK), "--workers", "1", "--json"]
    done = CliRunner().invoke(main, [*command, *words])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def form_of(page: str) -> list[tuple[str, str]]:
    """Return what a browser without scripts sends of the lab's form, as it is filled in."""
    form = page.partition('id="simulation"')[2].partition("</form>")[0]
    sent = []
    for tag, body in re.findall(r"<(input[^>]*|select[^>]*)>(.*?)(?=<input|<select|$)", form, re.DOTALL):
        name = re.search(r'name="(\w+)"', tag)
        if name is None or 'type="file"' in tag or ('type="checkbox"' in tag and " checked" not in tag):
            continue
        if tag.startswith("input"):
            value = re.search(r'value="([^"]*)"', tag)
        else:
            options = body.partition("</select>")[0]
            value = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        sent.append((name[1], unescape(value[1]) if value else ""))
    return sent


def sent_with(player: Player, path: str = "/lab", **changes: str) -> Any:
    """Fill in fields of the form at an address, and send all of it."""
    fields = dict(form_of(player.get(path, **PAGE).text)) | changes
    del fields["newcomer"]  # it is about cookies
    return player.post("/lab", list(fields.items()), **PAGE)


def test_a_form_without_scripts_begins_a_job_and_its_page_has_the_results(app: Flask, alice: Player) -> None:
    begun = sent_with(alice, count="hi-lo", ramp="wong", own_other_ramp="0：1，1:2, 3:5", rounds="4000", bankroll="300")
    assert begun.status == 303, begun.text
    key = begun.headers["location"].rsplit("/")[-1]
    play_turns(app)
    found = alice.get(f"/lab/{key}").json
    assert (found["count"], found["ramp"], found["other_ramp"]) == ("hi-lo", "0:0,1:2,2:4,3:8,4:12", "0:1,1:2,3:5")
    assert (found["index_plays"], found["bankroll"], found["trip"]) == (False, 300, 1000)
    page = alice.get(f"/lab/{key}", **PAGE).text
    for said in ("What the bets earn and risk", "Risk of losing 300 units", "The same within 1,000 rounds", "Hi-Lo"):
        assert said in page
    first, second = found["ramps"]
    for ramp in (first, second):
        assert f"{ramp['mean']:+.2f}".replace("-", "−") in page
        assert f"<td>{100 * ramp['trip_ruin']:.2f}" in page
    gain = found["gain"]["mean"]
    assert f"the {'second' if gain < 0 else 'first'} wins {abs(gain):+.2f} units more" in page
    assert page.count('<svg class="plot"') == 4, "the counts, the bankrolls of two ramps, and the estimate"
    assert "Hi-Lo" in alice.get("/lab", **PAGE).text


@pytest.mark.parametrize("rounds", [1, 9000])
def test_who_never_bets_risks_nothing_and_one_round_is_enough_for_a_page(
    app: Flask, alice: Player, rounds: int
) -> None:
    key = begin(alice, ramp="-200:0,200:5", other_ramp="flat", rounds=rounds, trip="1")["run"]
    play_turns(app)
    never = alice.get(f"/lab/{key}").json["ramps"][0]
    assert (never["ruin"], never["trip_ruin"], never["played"], never["mean"]) == (0, 0, 0, 0)
    assert {*never["paths"][-1]["quantiles"]} == {200}
    assert alice.get(f"/lab/{key}", **PAGE).status == 200


@pytest.mark.parametrize("ramp", ["1-8", "0:1", "99:1"])
def test_one_ramp_is_compared_with_nothing(app: Flask, alice: Player, ramp: str) -> None:
    """Also one that loses, and so has no SCORE and no bankroll that is safe."""
    key = begin(alice, ramp=ramp, other_ramp="")["run"]
    play_turns(app)
    assert "gain" not in alice.get(f"/lab/{key}").json
    page = alice.get(f"/lab/{key}", **PAGE)
    assert page.status == 200
    assert "What the bets earn" in page.text and "On the same cards" not in page.text
    assert page.text.count('<svg class="plot"') == 3


def test_where_every_round_has_a_fresh_shoe_the_page_says_that_counting_gains_nothing(
    app: Flask, alice: Player
) -> None:
    key = begin(alice, table="vegas,shuffle=continuous")["run"]
    play_turns(app)
    page = alice.get(f"/lab/{key}", **PAGE)
    assert page.status == 200 and "counting gains nothing there" in page.text
    assert [row["count"] for row in alice.get(f"/lab/{key}").json["counts"]] == [0]


def test_the_figures_are_those_of_the_command_line_with_the_same_seed(app: Flask, alice: Player) -> None:
    key = begin(alice)["run"]
    play_turns(app)
    found = alice.get(f"/lab/{key}.json").json
    said = by_command(
        *("--table", "downtown", "--count", "hi-lo", "--ramp", "1-8", "--other-ramp", "0:0,1:3"),
        *("--bankroll", "200", "--trip", "3000"),
    )
    same = {*said} - {"rounds_per_second"}
    assert {"ramps", "counts", "gain", "distribution", "mean", "bankroll", "trip", "index_plays"} <= same
    assert {name: found[name] for name in same} == {name: said[name] for name in same}


def test_a_round_of_three_boxes_is_bet_on_three_times(app: Flask, alice: Player) -> None:
    key = begin(alice, ramp="flat", other_ramp="", boxes="3")["run"]
    play_turns(app)
    found = alice.get(f"/lab/{key}").json
    said = by_command("--table", "downtown", "--count", "hi-lo", "--ramp", "flat", "--boxes", "3")
    assert found["boxes"] == said["boxes"] == 3
    for name in ("counts", "mean", "standard_deviation", "distribution", "convergence"):
        assert found[name] == said[name]
    (ramp,) = found["ramps"]
    assert ramp["mean"] == pytest.approx(100 * 3 * found["mean"]), "a unit on each box"
    assert ramp["standard_deviation"] == pytest.approx(10 * 3 * found["standard_deviation"], rel=1e-3)
    assert ramp["bet"] == 1
    page = alice.get(f"/lab/{key}", **PAGE).text
    assert "Hi-Lo, 3 boxes" in page and "Mean bet on each box" in page
    (again,) = re.findall(r'href="(/lab\?[^"]+)"', page)
    assert dict(form_of(alice.get(unescape(again), **PAGE).text))["boxes"] == "3"


@pytest.mark.parametrize("rounding", ["truncate", "nearest"])
def test_true_counts_are_rounded_as_the_player_does(app: Flask, alice: Player, rounding: str) -> None:
    key, other = begin(alice, rounding=rounding)["run"], begin(alice, nonce="other")["run"]
    play_turns(app)
    found = alice.get(f"/lab/{key}").json
    options = ("--rounding", rounding, "--ramp", "1-8", "--other-ramp", "0:0,1:3")
    said = by_command("--table", "downtown", "--count", "hi-lo", *options)
    assert found["rounding"] == said["rounding"] == rounding
    assert found["counts"] == said["counts"] != alice.get(f"/lab/{other}").json["counts"]
    page = alice.get(f"/lab/{key}", **PAGE).text
    says = {"truncate": "Rounded towards 0", "nearest": "To the nearest, a half up"}[rounding]
    assert re.search(rf"Rounding of true counts:\s+{says}", page)
    (again,) = re.findall(r'href="(/lab\?[^"]+)"', page)
    assert dict(form_of(alice.get(unescape(again), **PAGE).text))["rounding"] == rounding


def test_bad_shoes_are_left(app: Flask, alice: Player) -> None:
    key = begin(alice, other_ramp="", leave="−1 ")["run"]
    play_turns(app)
    found = alice.get(f"/lab/{key}").json
    said = by_command("--table", "downtown", "--count", "hi-lo", "--ramp", "1-8", "--leave", "-1")
    assert found["leave"] == said["leave"] == -1
    assert found["counts"] == said["counts"] and found["rates"] == said["rates"]
    assert min(row["count"] for row in found["counts"]) == 0
    page = alice.get(f"/lab/{key}", **PAGE).text
    assert "Hi-Lo, leaves at −1" in page
    assert re.search(rf"Shoes left in 100 rounds</th><td>{100 * found['rates']['left']:.2f}</td>", page)
    (again,) = re.findall(r'href="(/lab\?[^"]+)"', page)
    assert dict(form_of(alice.get(unescape(again), **PAGE).text))["leave"] == "-1"


def test_where_a_table_has_one_box_no_more_are_played(app: Flask, alice: Player) -> None:
    answer = sent_with(alice, count="hi-lo", preset="classic", boxes="2")
    assert answer.status == 422 and "from 1 to 1" in answer.text
    assert dict(form_of(answer.text))["boxes"] == "2"
    for table, boxes in (("classic", "2"), ("downtown", "4"), ("downtown", "0")):
        assert begin(alice, table=table, boxes=boxes)["error"] == "bad-boxes"
    assert rows(app)["lab_job"] == []


def test_all_of_it_is_there_as_csv(app: Flask, alice: Player, bob: Player) -> None:
    key = begin(alice)["run"]
    play_turns(app)
    found = alice.get(f"/lab/{key}").json

    def table(part: str) -> list[dict[str, str]]:
        text = bob.get(f"/lab/{key}/{part}.csv").text
        assert "attachment" in bob.answer.headers["content-disposition"]
        return list(csv.DictReader(text.splitlines()))

    counts = table("counts")
    assert [(int(row["count"]), int(row["rounds"]), int(row["other_units"])) for row in counts] == [
        (row["count"], row["rounds"], row["units"][1]) for row in found["counts"]
    ]
    for row, ramp in zip(table("ramps"), found["ramps"], strict=True):
        assert (row["ramp"], float(row["mean"]), float(row["trip_ruin"])) == (
            *(ramp["ramp"], ramp["mean"], ramp["trip_ruin"]),
        )
        assert [float(row[f"interval95_{end}"]) for end in ("low", "high")] == ramp["interval95"]
    lines = table("paths")
    points = [(ramp["ramp"], point) for ramp in found["ramps"] for point in ramp["paths"]]
    assert [(line["ramp"], int(line["rounds"])) for line in lines] == [(ramp, at["rounds"]) for ramp, at in points]
    assert [float(line["at_most_95_percent"]) for line in lines] == [at["quantiles"][-1] for _, at in points]
    begun = begin(alice, nonce="waits")["run"]
    assert bob.get(f"/lab/{begun}/ramps.csv").status == 200, "before there is a result"
    plain = begin(alice, nonce="plain", count="", other_ramp="")["run"]
    for missing in (f"/lab/{plain}/counts.csv", f"/lab/{key}/others.csv", "/lab/nothing/paths.csv"):
        assert bob.get(missing).status == 404


def test_in_turns_a_counted_job_is_the_same_as_in_one_go(
    app: Flask, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = begin(alice, count="ko")["run"]
    play_turns(app)
    monkeypatch.setattr(supervisor, "TURN_SECONDS", 0.0)
    pieces, _other = begin(alice, count="ko", nonce="m")["run"], begin(bob, seed=6)["run"]
    assert play_turns(app) > 8
    one, other = (alice.get(f"/lab/{key}").json for key in (whole, pieces))
    for name in ("ramps", "counts", "gain", "distribution"):
        assert one[name] == other[name]


def test_a_player_of_index_plays_waits_for_the_index_numbers_while_others_play(
    app: Flask, alice: Player, bob: Player
) -> None:
    waits, plays = begin(alice, table=TABLE, index_plays="1")["run"], begin(bob)["run"]
    assert "index numbers of the table come first" in alice.get(f"/lab/{waits}", **PAGE).text
    play_turns(app, most=2)
    assert bob.get(f"/lab/{plays}").json["status"] == "done"
    play_turns(app)
    found = alice.get(f"/lab/{waits}").json
    assert found["status"] == "done", found
    instance = str(app.extensions["config"].instance)
    words = ["--table", TABLE, "--count", "hi-lo", "--index-plays", "--ramp", "1-8", "--other-ramp", "0:0,1:3"]
    command = ["lab", "run", "--rounds", "9000", "--seed", "5", "--chunk", str(CHUNK), "--workers", "1", "--json"]
    said = CliRunner().invoke(main, [*command, *words], env={"TEFUDA_INSTANCE": instance})
    assert json.loads(said.stdout)["counts"] == found["counts"]
    assert found["rates"]["insurance"] > 0, "basic strategy never insures"


def test_a_job_that_waits_for_index_numbers_is_stopped_at_once(app: Flask, alice: Player) -> None:
    key = begin(alice, table="single,decks=2,split_by=none", index_plays="1")["run"]
    play_turns(app, most=1)
    alice.post(f"/lab/{key}/stop")
    assert alice.get(f"/lab/{key}").json["status"] == "stopped"
    assert play_turns(app) == 0


def test_index_numbers_that_cannot_be_worked_out_here_are_said_so(
    app: Flask, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.extensions["odds_desk"], "_builds_here", False)
    refused = begin(alice, table="single,decks=3", index_plays="1")
    assert (alice.status, refused["error"]) == (422, "no-index-numbers")
    assert rows(app)["lab_job"] == []


def test_a_link_asks_for_the_same_again(app: Flask, alice: Player) -> None:
    key = begin(alice, count="1,-2,0,3,0,1,0,0,0,-1", index_plays="", bankroll="250")["run"]
    before = alice.get(f"/lab/{key}").json
    (again,) = re.findall(r'href="(/lab\?[^"]+)"', alice.get(f"/lab/{key}", **PAGE).text)
    sent = sent_with(alice, unescape(again), nonce="again")
    assert sent.status == 303, sent.text
    after = alice.get(sent.headers["location"]).json
    same = ("table", "strategy", "count", "ramp", "other_ramp", "index_plays", "bankroll", "trip", "seed", "asked")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert after["run"] != before["run"]


def test_who_does_not_count_has_nothing_of_it(app: Flask, alice: Player) -> None:
    key = begin(alice, count="", other_ramp="")["run"]
    play_turns(app)
    assert not {"count", "ramps", "counts", "gain", "bankroll"} & {*alice.get(f"/lab/{key}").json}
    assert "What the bets earn" not in alice.get(f"/lab/{key}", **PAGE).text


@pytest.mark.parametrize(
    ("wrong", "code", "says"),
    [
        ({"count": "wonging"}, "bad-count", "ten tags from −4 to 4"),
        ({"count": "hi-lo", "own_tags": "1,1,1,1,1,1,1,1,1,1"}, "bad-count", "cannot all be the same"),
        ({"count": "hi-lo", "own_ramp": "1:2,0:4"}, "bad-ramp", "Write bets as count:units"),
        ({"count": "hi-lo", "own_ramp": "0:0"}, "bad-ramp", "nothing at all"),
        ({"count": "hi-lo", "own_ramp": ",".join(f"{n}:1" for n in range(60))}, "bad-ramp", "at most 40"),
        ({"count": "hi-lo", "ramp": "1-13"}, "bad-ramp", "Write bets as count:units"),
        ({"count": "hi-lo", "own_other_ramp": "many"}, "bad-ramp", "Write bets as count:units"),
        ({"count": "hi-lo", "bankroll": "0"}, "bad-bankroll", "from 1 to 1,000,000,000"),
        ({"count": "hi-lo", "trip": "long"}, "bad-trip", "from 1 to 1,000,000,000"),
        ({"count": "hi-lo", "leave": "2"}, "bad-leave", "from −15 to 0"),
        ({"count": "ko", "leave": "soon"}, "bad-leave", "from −35 to −20"),
        ({"count": "", "leave": "-1"}, "no-count", "Choose a system of counting"),
        ({"count": "", "boxes": "2"}, "no-count", "Choose a system of counting"),
        ({"count": "", "own_ramp": "0:1,1:2"}, "no-count", "Choose a system of counting"),
        ({"count": "", "index_plays": "1"}, "no-count", "Choose a system of counting"),
        ({"count": "hi-lo", "other_preset": "single"}, "count-compared", "Compare two ramps instead"),
    ],
)
def test_what_cannot_be_played_is_said_at_its_field_and_nothing_is_lost(
    app: Flask, alice: Player, wrong: dict[str, str], code: str, says: str
) -> None:
    filled = {"rounds": "4321", "seed": "77", "bankroll": "345", "trip": "678"} | wrong
    answer = sent_with(alice, **filled)
    assert answer.status == 422
    (sentence,) = re.findall(r'<span class="wrong" id="wrong">([^<]+)</span>', answer.text)
    assert says in unescape(sentence)
    assert answer.text.count('aria-invalid="true"') == 1
    kept = dict(form_of(answer.text))
    assert {name: kept[name] for name in filled if name not in ("count", "ramp", "index_plays")} == {
        name: value for name, value in filled.items() if name not in ("count", "ramp", "index_plays")
    }
    assert wrong.get("count") in {kept["count"], kept["own_tags"], None}
    assert '<details class="more" id="count" open>' in answer.text
    refused = begin(alice, **({"other_ramp": ""} | wrong))
    assert (alice.status, refused["error"]) == (422, code)
    assert rows(app)["lab_job"] == []


@pytest.mark.parametrize(("wrong", "code"), [({"rounding": "up"}, "bad-rounding"), ({"boxes": "4"}, "bad-boxes")])
def test_choices_that_nobody_was_given_are_refused(app: Flask, alice: Player, wrong: dict[str, str], code: str) -> None:
    refused = begin(alice, other_ramp="", **wrong)
    assert (alice.status, refused["error"]) == (422, code)
    assert rows(app)["lab_job"] == []
