"""Whole shoes played over HTTP, then dealt again with the listing on the page /fair and settled by ``plain_blackjack``.

No code of the engine is involved.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask

from tests.support import plain_blackjack
from tests.support.moves import abandoned_shoe, dealt, finished_json, next_move
from tests.support.player import Json, Player
from tests.support.proofs import CHECK
from webapp.web.hand_page.transcript import SCRIPT

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

TABLES = {
    "single": (10, 15),
    "european,decks=1,penetration=0.9,lose=original": (10, 20, 31),
    "downtown,penetration=0.5,resplit_aces=true,surrender=late": (25,),
}


@pytest.fixture(scope="module")
def listing() -> dict[str, Any]:
    """Run the listing as a reader does; return its namespace."""
    names: dict[str, Any] = {"__name__": "tf1"}
    exec(SCRIPT, names)  # noqa: S102  # our own page
    return names


@pytest.fixture(params=TABLES)
def shoe(request: pytest.FixtureRequest, app: Flask) -> list[Json]:
    """All rounds of one shoe, as their pages show them after its end."""
    alice, chance = Player(app.test_client()), Random(request.param)
    keys: list[str] = []
    while not keys or alice.board["shoe"]["dealt"] < alice.board["shoe"]["cut_card"]:
        dealt(alice, "alices-cut", "blackjack", request.param, TABLES[request.param])
        assert alice.status == 200
        while not alice.over:
            alice.do(next_move(alice.board, chance))
        keys.append(alice.hand)
    return [finished_json(Player(app.test_client()), key) for key in keys]


def test_every_round_of_a_shoe_is_dealt_again_by_the_published_lines(shoe: list[Json], listing: dict[str, Any]) -> None:
    assert len(shoe) > 1
    assert len({str(hand["proof"] | {"offset": 0}) for hand in shoe}) == 1, "one seed, one seal, one cut"
    proof = shoe[0]["proof"]
    seed = bytes.fromhex(proof["seed"])
    assert listing["commitment"](seed, proof["id"]) == proof["commitment"]
    (pack,) = proof["packs"]
    cards = listing["shuffled"](seed, proof["id"], 0, pack["decks"], pack["jokers"], proof["cuts"])
    assert [card for hand in shoe for card in hand["cards"][0]] == list(cards)[
        : sum(len(hand["cards"][0]) for hand in shoe)
    ]
    gone = 0
    for hand in shoe:
        assert hand["proof"]["offset"] == gone
        gone += len(hand["cards"][0])


def test_every_round_of_a_shoe_is_paid_as_the_plain_rules_say(shoe: list[Json], listing: dict[str, Any]) -> None:
    for hand in shoe:
        proof, rules, stakes = hand["proof"], hand["rules"], hand["stakes"]
        cards = listing["shuffled"](bytes.fromhex(proof["seed"]), proof["id"], 0, rules["decks"], 0, proof["cuts"])
        moves: Iterator[str] = iter(hand["moves"])

        def ask(may: set[str], moves: Iterator[str] = moves) -> str:
            move = next(moves)
            assert move in may
            return move

        whole = 52 * rules["decks"]
        behind_the_cut_card = whole - -(-whole * round(100 * rules["penetration"]) // 100)
        limit = max(behind_the_cut_card, 8 + 6 * len(stakes))
        again = plain_blackjack.play(rules, stakes, list(cards)[proof["offset"] :], limit, ask)
        assert (list(again.payouts), again.dealt) == (hand["payouts"], len(hand["cards"][0]))
        assert next(moves, None) is None


def test_every_round_of_a_shoe_is_found_true_by_the_page(shoe: list[Json], javascript: Any) -> None:
    for hand in shoe[-3:]:
        count = len(hand["cards"][0])
        found = javascript.run(CHECK, hand["proof"] | {"hand": hand["hand"], "cards": hand["cards"]}, True)
        assert found == {"commitment": True, "cards": [[True] * count], "right": count, "all": count}


def test_a_shoe_that_was_abandoned_is_dealt_again_too(app: Flask, listing: dict[str, Any]) -> None:
    hands = abandoned_shoe(Player(app.test_client()))
    proof = hands[0]["proof"]
    cards = list(listing["shuffled"](bytes.fromhex(proof["seed"]), proof["id"], 0, 6, 0, proof["cuts"]))
    together = [card for hand in hands for card in hand["cards"][0]]
    assert together == cards[: len(together)]
