"""``tefuda odds``: hands and tables of draw poker, and invalid questions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webapp.cli import main
from webapp.cli.app import to_install
from webapp.services.odds.store import FOLDER

ROYAL = "Ah Kh Qh Jh 2c"


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("instance")


@pytest.fixture
def run(instance: Path):
    def command(*words: str) -> Result:
        said = CliRunner().invoke(main, ["odds", *words], env={"TEFUDA_INSTANCE": str(instance)})
        assert said.exception is None or isinstance(said.exception, SystemExit), repr(said.exception)
        return said

    return command


def test_all_holds_are_printed_best_first(run) -> None:
    said = run("hold", ROYAL, "--table", "joker/kings-or-better")
    assert said.exit_code == 0
    first, *others = said.output.splitlines()
    assert first.split()[:2] == ["hold-1-2-3-4", "19.895833"]
    assert len(others) == 32


def test_json_has_values_and_chances_of_all_holds(run) -> None:
    said = json.loads(run("hold", ROYAL, "--table", "joker/kings-or-better", "--json").output)
    assert said["best"] == "hold-1-2-3-4"
    assert said["exact"] is True
    values = [option["value"] for option in said["options"]]
    assert values == sorted(values, reverse=True)
    best = said["options"][0]
    assert (best["action"], best["outcomes"]["NATURAL_ROYAL"]) == ("hold-1-2-3-4", 1 / 48)
    assert best["value"] == pytest.approx(955 / 48)


def test_an_action_that_was_asked_for_has_its_cost(run) -> None:
    said = json.loads(run("hold", ROYAL, "--table", "joker/kings-or-better", "--action", "stop", "--json").output)
    assert (said["action"], said["cost"]) == ("stop", pytest.approx(955 / 48))
    assert "stop costs 19.895833" in run("hold", ROYAL, "--table", "joker/kings-or-better", "--action", "stop").output


def test_the_return_of_a_table_is_an_exact_fraction(run) -> None:
    said = json.loads(run("game", "joker/kings-or-better", "--json").output)
    assert said["exact"] == "412127554537/409481092020"
    assert said["value"] == pytest.approx(1.00646296)
    assert run("game", "poker/quest").output.startswith("value 70.86604")


@pytest.mark.parametrize(("table", "published"), [("jacks-9-6", 19.51468), ("double-double-9-6", 41.98498)])
def test_the_variance_of_a_table_is_the_published_one(run, table: str, published: float) -> None:
    assert json.loads(run("game", f"video/{table}", "--json").output)["variance"] == pytest.approx(published, abs=5e-6)
    assert f"variance {int(published)}." in run("game", f"video/{table}").output


def test_there_is_no_variance_where_more_follows_the_exchange(run) -> None:
    for table in ("poker/quest", "blackjack/vegas"):
        assert "variance" not in json.loads(run("game", table, "--json").output)


def test_a_last_exchange_is_priced_without_the_cards_that_are_out(run) -> None:
    words = ("hold", "Jk 3h 9d 9c 2s", "--table", "joker/arcade", "--thrown", "4c 5c 8h 2d 3d", "--exchanges", "1")
    said = json.loads(run(*words, "--json").output)
    assert said["exact"] is True
    assert said["best"] == "hold-1-3-4"


@pytest.mark.parametrize(
    "words, sentence",
    [
        (("hold", "Ah Ah Qh Jh 2c"), "a card twice: Ah"),
        (("hold", "Ah Kh Qh Jh 2c 3c"), "a hand has 5 cards, not 6"),
        (("hold", "Jk Jk Qh Jh 2c", "--table", "joker/arcade-1"), "too many jokers: 2, the deck of this table has 1"),
        (("hold", "Jk 3h Qh Jh 2c"), "too many jokers: 1, the deck of this table has none"),
        (("hold", "Ah Kh Qh Jh 2x"), "not a card: '2x'"),
        (("hold", ""), "a hand has 5 cards, not 0"),
        (("hold", ROYAL, "--table", "nowhere/x"), "no such game: 'nowhere'"),
        (("hold", ROYAL, "--table", "joker/x"), "no such table: 'x'"),
        (("hold", ROYAL, "--table", "table21/\x1b[31m"), "table21 is not draw poker: there is nothing to hold"),
        (("hold", ROYAL, "--action", "stop"), "stop is not legal here"),
        (("hold", ROYAL, "--action", "hold-6"), "hold-6 is not legal here"),
        (("hold", ROYAL, "--action", "?"), "not an action: '?'"),
        (("hold", ROYAL, "--exchanges", "１"), "exchanges is a whole number from 1 to 1, not '１'"),
        (
            ("hold", ROYAL, "--table", "joker/arcade", "--exchanges", "0"),
            "exchanges is a whole number from 1 to 3, not '0'",
        ),
        (("hold", ROYAL, "--exchanges", "+1"), "exchanges is a whole number from 1 to 1, not '+1'"),
        (("game", "poker/x"), "no such table: 'x'"),
        (("game", "nowhere"), "no such game: 'nowhere'"),
    ],
)
def test_a_question_that_makes_no_sense_ends_with_one_clear_line(run, words: tuple[str, ...], sentence: str) -> None:
    said = run(*words)
    assert (said.exit_code, said.output) == (2, f"Error: {sentence}\n")


def test_tables_are_kept_in_the_folder_of_the_instance(run, instance: Path) -> None:
    run("hold", ROYAL, "--table", "joker/kings-or-better")
    kept = sorted((instance / FOLDER).rglob("*.npy"))
    assert kept
    before = {path: path.stat().st_mtime_ns for path in kept}
    run("hold", ROYAL, "--table", "joker/kings-or-better")
    assert {path: path.stat().st_mtime_ns for path in sorted((instance / FOLDER).rglob("*.npy"))} == before


@pytest.mark.parametrize(
    "missing, words, sentence",
    [
        ("numpy", ["hold", ROYAL], "the odds of poker need numpy; "),
        ("numba", ["game", "joker/arcade"], "early ones of several exchanges need Numba; "),
    ],
)
def test_what_is_not_installed_is_named_with_the_line_that_installs_it(
    tmp_path: Path, missing: str, words: list[str], sentence: str
) -> None:
    script = f"import sys; sys.modules[{missing!r}] = None; from webapp.cli import main; main({['odds', *words]!r})"
    environ = {**os.environ, "TEFUDA_INSTANCE": str(tmp_path)}
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environ)
    assert (said.returncode, said.stderr) == (2, f"Error: {sentence}{to_install('lab')}\n")
