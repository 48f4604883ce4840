"""The program listing on the page /fair deals the same cards as the site."""

import ast
import hashlib
import runpy
import subprocess
import sys

import pytest

from tests.support.tf1_cases import cases
from tests.support.tf1_vectors import VECTORS
from webapp.web.hand_page.transcript import SCRIPT

vectors = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The listing, saved as a file."""
    path = tmp_path_factory.mktemp("reader") / "tf1.py"
    path.write_text(SCRIPT, encoding="ascii")
    return path


@pytest.fixture(scope="module")
def listing(program):
    return runpy.run_path(str(program))


def run(program, *arguments: object) -> list[str]:
    """Return the lines that the program prints, run where nothing of this project can be imported."""
    command = [sys.executable, "-I", str(program), *map(str, arguments)]
    return subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=True).stdout.splitlines()


@vectors
def test_the_program_deals_the_published_cards(program, vector):
    facts = (vector.seed_hex, vector.id, vector.pack, vector.decks, vector.jokers, 0, *vector.cuts)
    kept, cards = run(program, vector.commitment, *facts)
    assert kept == "The commitment is kept."
    assert cards.startswith(vector.first10)
    assert hashlib.sha256(cards.encode()).hexdigest() == vector.sha256


def test_the_program_says_so_when_the_commitment_is_not_kept(program):
    vector, other = VECTORS[:2]
    facts = (vector.seed_hex, vector.id, vector.pack, vector.decks, vector.jokers, 0, *vector.cuts)
    kept, _ = run(program, other.commitment, *facts)
    assert kept == "The commitment is NOT KEPT."


def test_the_program_begins_where_the_hand_does(program):
    vector = VECTORS[0]
    facts = (vector.seed_hex, vector.id, vector.pack, vector.decks, vector.jokers)
    _, cards = run(program, vector.commitment, *facts, 7, *vector.cuts)
    assert (cards.split()[:3], len(cards.split())) == (vector.first10.split()[7:], 45)


def test_five_hundred_random_packs_are_dealt_alike(listing):
    decks, jokers, seats, silent = set(), set(), set(), 0
    for case in cases():
        seed = bytes.fromhex(case.seed)
        assert listing["commitment"](seed, case.id) == case.commitment
        dealt = listing["shuffled"](seed, case.id, case.pack, case.decks, case.jokers, case.cuts)
        assert " ".join(dealt) == case.cards, case
        decks.add(case.decks)
        jokers.add(case.jokers)
        seats.add(len(case.cuts))
        silent += "-" in case.cuts
    assert (decks, jokers, seats) == ({*range(1, 9)}, {0, 1, 2}, {*range(1, 6)})
    assert silent > 100


def test_the_listing_needs_nothing_but_python(program):
    imported = {
        name.name
        for node in ast.walk(ast.parse(SCRIPT))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in node.names
    }
    assert imported == {"hashlib", "hmac", "itertools", "sys"}


def test_the_listing_is_short_enough_to_be_read():
    lines = SCRIPT.splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 22
    assert max(map(len, lines)) <= 100
