"""The command ``tefuda lab``: results, errors, progress, and Ctrl-C."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.command_line import lab_command
from webapp.cli import main
from webapp.cli.progress import format_seconds
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_csv import dumps


def run(*words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(lab_command(*words), capture_output=True, text=True, timeout=120)
    assert done.returncode == status, done.stderr
    return done


def here(*words: str, status: int = 0) -> str:
    """Return the output of the command, run in this process to save starting another."""
    done = CliRunner().invoke(main, ["lab", *words])
    assert done.exit_code == status, done.output
    return done.output if status else done.stdout


def test_any_number_of_processes_comes_to_the_same_figures() -> None:
    words = ("run", "--table", "downtown", "--rounds", "2e5", "--seed", "9", "--chunk", "30000", "--json")
    one, two = json.loads(here(*words, "--workers", "1")), json.loads(run(*words, "--workers", "2").stdout)
    speeds = one.pop("rounds_per_second"), two.pop("rounds_per_second")
    assert one == two
    assert min(speeds) > 0
    assert one["rounds"] == 200_000
    assert {"mean", "standard_error", "interval95", "standard_deviation", "rates"} <= set(one)


def test_a_player_who_counts_bets_by_it_and_two_ramps_are_held_against_the_same_rounds() -> None:
    words = ("run", "--count", "hi-lo", "--rounds", "2e5", "--other-ramp", "0:0,1:3")
    found = json.loads(here(*words, "--json"))
    first, second = found["ramps"]
    assert (first["ramp"], second["ramp"]) == ("0:1,1:2,2:4,3:8,4:12", "0:0,1:3")
    assert sum(row["rounds"] for row in found["counts"]) == found["rounds"] == 200_000
    for place, ramp in enumerate((first, second)):
        earned = sum(row["rounds"] * row["units"][place] * row["mean"] for row in found["counts"])
        assert ramp["mean"] == pytest.approx(100 * earned / 200_000)
    assert (first["played"], second["bet"]) == (1, 3)
    assert found["mean"] == pytest.approx(json.loads(here("run", "--rounds", "2e5", "--json"))["mean"])
    assert "SCORE" in here("run", "--count", "hi-lo", "--rounds", "2e5", "--ramp", "wong")
    rows = here(*words, "--csv").splitlines()
    assert (rows[0], len(rows) - 1) == ("count,rounds,mean,standard_deviation,units,other_units", len(found["counts"]))


@pytest.mark.soak
def test_a_player_of_index_plays_earns_more_with_the_same_bets() -> None:
    words = ("run", "--table", "single", "--count", "ko", "--rounds", "3e6", "--json")
    book, indices = json.loads(here(*words)), json.loads(here(*words, "--index-plays"))
    assert indices["ramps"][0]["interval95"][0] > book["ramps"][0]["mean"]
    assert indices["rates"]["insurance"] > 0 == book["rates"]["insurance"]


def test_the_exercise_on_the_command_line_is_that_of_the_page() -> None:
    payload = json.loads(here("exercise", "--seed", "7", "--json"))
    assert (len(payload["games"]), payload["total"]) == (12, -8)
    assert set(payload["games"][0]) == {"player", "dealer", "player_total", "dealer_total", "score", "label"}
    assert here("exercise", "--seed", "7", "--csv").count("\n") == 13
    assert "sum -8" in here("exercise", "--seed", "7")


@pytest.mark.parametrize(
    "words, says",
    [
        (("run", "--rounds", "0"), "rounds must be from 1"),
        (("run", "--ramp", "1-8"), "--count hi-lo"),
        (("run", "--index-plays"), "--count hi-lo"),
        (("run", "--count", "wonging"), "no such system"),
        (("run", "--count", "hi-lo", "--ramp", "0:x"), "count:units"),
        (("run", "--count", "hi-lo", "--bankroll", "0"), "bankroll"),
        (("run", "--count", "hi-lo", "--other-table", "single"), "fresh shoe"),
        (("run", "--leave", "-1"), "--count hi-lo"),
        (("run", "--count", "ko", "--leave", "1"), "from -35 to -20"),
        (("run", "--boxes", "4"), "boxes must be from 1 to 3"),
        (("run", "--boxes", "2", "--other-table", "single"), "one box"),
        (("run", "--rounds", "-1"), "whole number"),
        (("run", "--rounds", "1e30"), "rounds must be from 1"),
        (("run", "--rounds", "many"), "whole number"),
        (("run", "--rounds", "1e２"), "whole number"),
        (("run", "--seed", "１"), "'１' is not a whole number"),
        (("run", "--bet", "1_0"), "'1_0' is not a whole number"),
        (("run", "--table", "vegas,decks=9"), "no such rule"),
        (("run", "--strategy", "stand-99"), "no such strategy"),
        (
            ("run", "--strategy", "CHART"),
            "wrong.csv: Line 3, column 2: one of S H Dh Ds Rh Rs is expected here, and “X” was found.",
        ),
        (("run", "--strategy", "CHART.LONG"), "wrong.csv: This file is too long for a table: 10000000 bytes."),
        (("run", "--strategy", "CHART.LATIN-1"), "wrong.csv: Line 1, column 1: This is not UTF-8 text"),
        (("run", "--other-strategy", "CHART.HOLE"), "wrong.csv: Line 3: The table has no line for 7, 8"),
        (("run", "--strategy", "nowhere.csv"), "cannot be read"),
        (("run", "--workers", "0"), "workers"),
        (("run", "--seed", "-1"), "seed"),
        (("exercise", "--seed", "1", "--games", "0"), "games must be from"),
        (("exercise", "--seed", "1", "--decks", "9"), "decks must be from"),
    ],
)
def test_what_cannot_be_simulated_is_a_usage_error(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    lines = dumps(strategy_by_name("basic", PRESETS["vegas"])).splitlines()
    charts = {
        "CHART": "\n".join((*lines[:2], "5" + ",X" * 10, *lines[3:])).encode(),
        "CHART.LONG": b"x" * 10_000_000,
        "CHART.LATIN-1": b"\xe4" + "\n".join(lines).encode(),
        "CHART.HOLE": "\n".join((*lines[:2], lines[3])).encode(),
    }
    chart = tmp_path / "wrong.csv"
    for word in {*words} & {*charts}:
        chart.write_bytes(charts[word])
    assert says in here(*(str(chart) if word in charts else word for word in words), status=2)


def test_a_comparison_says_what_was_compared() -> None:
    words = ("--table", "vegas", "--against", "downtown", "--rounds", "1000", "--workers", "1", "--json")
    payload = json.loads(here("run", *words))
    assert (payload["table"], payload["strategy"]) == ("vegas", "basic")
    assert (payload["other_table"], payload["other_strategy"]) == ("downtown", "basic")
    assert payload["difference"]["mean"] == pytest.approx(payload["mean"] - payload["other"]["mean"])


@pytest.mark.parametrize(
    "seconds, said",
    [(0.2, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "120 min"), (7200, "2 h"), (1e15, "277,777,777,778 h")],
)
def test_the_time_to_go_is_said_shortly_however_long_it_is(seconds: float, said: str) -> None:
    assert format_seconds(seconds) == said


def test_ctrl_c_prints_what_was_counted() -> None:
    words = lab_command("run", "--rounds", "1e12", "--strategy", "mimic", "--workers", "1", "--json")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert re.search(
            r"a second, [0-9,]+ (h|min|s) to go", process.stderr.readline()
        )  # as soon as something is counted
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    payload = json.loads(out)
    assert process.returncode == 0
    assert 0 < payload["rounds"] < payload["asked"] == 10**12
