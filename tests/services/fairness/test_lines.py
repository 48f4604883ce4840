"""Several hands from one hold: their cards follow from seed and cut, by a plain second implementation."""

import hashlib
import hmac
import json
from random import Random

import pytest
from click.testing import CliRunner

from tests.support.moves import CUT, dealt, finished_json
from tests.support.player import Json, Player
from webapp.cli import main
from webapp.services.fairness.verification import checks

RANKS, SUITS = "A23456789TJQK", "cdhs"


def pack(proof: Json, number: int) -> list[str]:
    """Shuffle a deck of 52 as the page /fair says, with nothing of the site."""
    seed = bytes.fromhex(proof["seed"])
    message = f"tf1|{proof['id']}|{number}|1|0|{proof['cuts'][0]}"
    stream, block = b"", 0
    deck = [rank + suit for suit in SUITS for rank in RANKS]
    for last in range(51, 0, -1):
        while True:
            if len(stream) < 2:
                stream += hmac.new(seed, f"{message}|{block}".encode(), hashlib.sha256).digest()
                block += 1
            word, stream = int.from_bytes(stream[:2], "big"), stream[2:]
            if word < 65536 - 65536 % (last + 1):
                break
        other = word % (last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


@pytest.mark.parametrize("lines", [3, 5, 10])
def test_the_cards_of_every_hand_follow_from_seed_and_cut(alice: Player, lines: int) -> None:
    chance = Random(lines)
    for hold in ("hold", "hold-2", "hold-1-3-5", "hold-1-2-3-4", "hold-1-2-3-4-5"):
        dealt(alice, CUT, "video", "jacks-9-6", (1,) * lines)
        drawn = alice.do(hold)["view"]
        told = finished_json(alice, alice.hand)
        held = {int(place) for place in hold.split("-")[1:]}
        deal = pack(told["proof"], 0)[:5]
        hands = []
        for number in range(lines):
            own = iter([card for card in pack(told["proof"], number) if card not in deal])
            hands.append([deal[n - 1] if n in held else next(own) for n in range(1, 6)])
        assert [line["hand"] for line in drawn["lines"]] == hands
        assert len(told["proof"]["packs"]) == (1 if len(held) == 5 else lines)
        assert told["payouts"] == [line["worth"] for line in drawn["lines"]]
        assert all(check.ok for check in checks(told))
        verified = CliRunner().invoke(main, ["hand", "verify", "-"], input=json.dumps(told))
        assert (verified.exit_code, verified.output.count("right:")) == (0, 4), verified.output
        if len(held) < 5:
            row = chance.randrange(lines)
            told["cards"][row][-1] = next(card for card in pack(told["proof"], row) if card not in told["cards"][row])
            assert not all(check.ok for check in checks(told)), "a card was exchanged"
