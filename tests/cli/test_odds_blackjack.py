"""``tefuda odds blackjack`` and ``tefuda odds game blackjack/...``, run in this process."""

import json
import re

import pytest
from click.testing import CliRunner, Result

from webapp.cli import main


@pytest.fixture(autouse=True)
def instance(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TEFUDA_INSTANCE", str(tmp_path))


def run(*words: str) -> Result:
    answer = CliRunner().invoke(main, ["odds", *words])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), repr(answer.exception)
    return answer


def test_all_actions_are_printed_best_first() -> None:
    lines = run("blackjack", "--hand", "Th 6s", "--dealer", "Tc").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["hit", "stand", "double"]
    assert float(lines[0].split()[1]) == pytest.approx(-0.534676, abs=1e-6)


def test_json_has_values_in_bets_and_names_the_best() -> None:
    told = json.loads(run("blackjack", "--hand", "8h 8s", "--dealer", "Tc", "--table", "european", "--json").stdout)
    assert told["best"] == "hit"
    assert {option["action"] for option in told["options"]} == {"hit", "stand", "split"}
    assert told["exact"] is False


def test_seen_cards_give_a_second_value() -> None:
    answer = run("blackjack", "--hand", "Th 6s", "--dealer", "Tc", "--seen", "4h 5h 4d 5d", "--json")
    hit = next(option for option in json.loads(answer.stdout)["options"] if option["action"] == "hit")
    assert hit["counted"] < hit["value"]


def test_a_hand_of_three_cards_may_not_be_doubled() -> None:
    answer = run("blackjack", "--hand", "2h 3s 4d", "--dealer", "6c", "--table", "blackjack/vegas", "--json")
    assert [option["action"] for option in json.loads(answer.stdout)["options"]] == ["hit", "stand"]


def test_the_edge_of_a_table_is_told_in_bets() -> None:
    told = json.loads(run("game", "blackjack/classic", "--json").stdout)
    assert told["edge"] == pytest.approx(-0.042462, abs=1e-6)


@pytest.mark.slow
def test_index_numbers_are_printed_and_are_json() -> None:
    lines = run("index", "--table", "blackjack/classic").stdout.splitlines()
    assert all(
        re.fullmatch(r" ?[A\d]{1,2} v [2-9TA] +[+-]\d+ +\([+-]\d+\.\d\d\) +(stand, below hit|hit, below stand)", line)
        for line in lines
    )
    told = json.loads(run("index", "--table", "classic", "--json").stdout)
    assert len(lines) == sum(len(play["turns"]) for play in told["plays"]) > 20
    assert told["insurance"] is None, "the table has none"


def test_a_system_that_there_is_not_is_refused_in_one_line() -> None:
    answer = run("index", "--system", "moon")
    assert answer.exit_code == 2
    assert "no such system: 'moon'" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--hand", "Th Th", "--dealer", "6c", "--table", "single"], "Th is named 2 times, and there is one deck"),
        (["--hand", "Th 6s", "--dealer", "6s", "--table", "single"], "6s is named 2 times, and there is one deck"),
        (["--hand", "Th 6s", "--dealer", "6c", "--seen", "Th " * 6], "Th is named 7 times, and there are 6 decks"),
        (["--hand", "Th 6s", "--dealer", "6c", "--table", "moon"], "no such table"),
        (["--hand", "Th", "--dealer", "6c"], "a hand has two cards or more, not 1"),
        (["--hand", "Th 6s", "--dealer", "6c 7c"], "the dealer shows one card, not 2"),
        (["--hand", "Th 6s 9d", "--dealer", "6c"], "the hand is bust with 25"),
        (["--hand", "Th As", "--dealer", "6c"], "a natural is not played on"),
        (["--hand", "Th 9s 2d", "--dealer", "6c"], "21 stands by itself at this table"),
        (["--hand", "Th 6x", "--dealer", "6c"], "not a card: '6x'"),
        (["--hand", "Th Xx", "--dealer", "6c"], "not a card: 'Xx'"),
        (["--hand", "Th *", "--dealer", "6c"], ""),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(words, sentence) -> None:
    answer = run("blackjack", *words)
    assert answer.exit_code == 2
    assert sentence in answer.stderr
    assert len(answer.stderr.splitlines()) == 1


def test_an_unknown_table_has_no_edge() -> None:
    answer = run("game", "blackjack/vegas,decks=9")
    assert answer.exit_code == 2
    assert len(answer.stderr.splitlines()) == 1
