"""The instructions of a finished hand's page, with the listing printed on /fair, lead to the hand's cards."""

import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from tests.support.clock import Clock
from tests.support.moves import abandoned_shoe, asked, dealt, finished, finished_json
from tests.support.player import Json, Player
from tests.support.table_players import bet_all, betting, play_out, see_all


def text_of(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup)).strip()


def page_of(player: Player, path: str) -> str:
    answer = player.get(path, Accept="text/html")
    assert answer.status == 200
    return answer.text


def proof_of(page: str) -> str:
    found = re.search(r'<section class="panel" id="proof".*?</section>', page, re.DOTALL)
    assert found
    return re.sub(r'\sdata-[\w-]+="[^"]*"', "", found[0])  # what a reader does not see


def facts_of(proof: str) -> dict[str, str]:
    """Return the statements about the packs."""
    return {text_of(name): text_of(value) for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", proof)}


def hashes_of(proof: str) -> list[str]:
    """Return commitment and seed, then the cuts; then the commands."""
    return [text_of(each) for each in re.findall(r'<code class="hash[^"]*">(.*?)</code>', proof)]


@pytest.fixture
def printed(app: Flask, tmp_path: Path) -> Callable[[str], list[str]]:
    """Return what a command prints with the listing of /fair, where nothing of this project can be imported."""
    page = page_of(Player(app.test_client()), "/fair")
    lines = re.search(r'<pre class="listing".*?</pre>', page, re.DOTALL)
    assert lines
    (tmp_path / "tf1.py").write_text(text_of(lines[0]) + "\n", encoding="ascii")

    def run(command: str) -> list[str]:
        python, program, *arguments = command.split()
        assert (python, program) == ("python3", "tf1.py")
        typed = [sys.executable, "-I", str(tmp_path / program), *arguments]
        return subprocess.run(typed, capture_output=True, text=True, check=True).stdout.splitlines()

    return run


def test_a_hand_with_packs_of_its_own(app: Flask, printed: Callable[[str], list[str]]) -> None:
    alice = Player(app.test_client())
    asked(alice)
    alice.act("double")
    hand = finished_json(alice, finished(alice, Random(3)))
    follow(alice, hand, printed, "Key of this hand", [hand["proof"]["cuts"][0]])


def test_a_hand_in_which_the_seat_was_silent(app: Flask, printed: Callable[[str], list[str]]) -> None:
    alice = Player(app.test_client())
    dealt(alice, cut="", game="joker")
    hand = finished_json(alice, finished(alice, Random(3)))
    follow(alice, hand, printed, "Key of this hand", ["-"])


def test_a_hand_in_the_middle_of_a_shoe(app: Flask, printed: Callable[[str], list[str]]) -> None:
    alice = Player(app.test_client())
    first, *later = abandoned_shoe(alice)
    for hand in (first, *later):
        assert bool(hand["proof"]["offset"]) == (hand is not first)
        follow(alice, hand, printed, "Key of the shoe", ["alices-cut"])


def test_a_round_at_a_table_with_others(app: Flask, clock: Clock, printed: Callable[[str], list[str]]) -> None:
    visitors = betting(app, 3)  # the third is ready when the first round has begun
    for seats in (2, 3):
        see_all(visitors)
        bet_all(visitors, 20)
        play_out(visitors)
        for visitor in visitors:
            visitor.now("ready")
        hand = finished_json(visitors[0], visitors[0].table["last"].removeprefix("/h/"))
        cuts = hand["proof"]["cuts"]
        assert (len(cuts), cuts.count("-")) == (seats, 1), "the bank is silent"
        follow(visitors[0], hand, printed, "Key of this round", cuts)


def follow(reader: Player, hand: Json, printed: Callable[[str], list[str]], key: str, cuts: list[str]) -> None:
    """Follow the instructions by hand, and run the commands that can be copied."""
    proof = proof_of(page_of(reader, f"/h/{hand['hand']}"))
    facts, hashes = facts_of(proof), hashes_of(proof)
    commitment, seed, *rest = hashes
    assert [cut for cut in rest if not cut.startswith("python3")] == [cut for cut in cuts if cut != "-"]
    commands = [command for command in rest if command.startswith("python3")]
    offset = facts.get("Cards of the shoe dealt before", "0")
    rows = [*hand["cards"], hand["draw"]["cards"]] if hand.get("draw") else hand["cards"]
    assert len(commands) == len(rows), "the cards that were drawn for the bank come last"
    for number, (row, command) in enumerate(zip(hand["cards"], commands, strict=False)):
        decks, jokers = re.findall(r"\d+", facts[f"Pack {number + 1}"])
        stated = (commitment, seed, facts[key], str(number), decks, jokers, "0" if number else offset, *cuts)
        assert command == " ".join(("python3 tf1.py", *stated))
        kept, cards = printed(command)
        assert kept == "The commitment is kept."
        assert cards.split()[: len(row)] == row
