"""The whole shuffle as a script that needs nothing of this package: the page /fair prints it, the tests run it.

Saved as ``tf1.py`` they deal any pack again: the commitment, then the facts of the pack as the hand's page states them,
which has the whole command.
"""

from typing import Final

from webapp.engine.bank_draw import PACK, BankDraw
from webapp.engine.game import Pack
from webapp.services.records.finished import Proof

SCRIPT: Final = """\
# python3 tf1.py COMMITMENT SEED ID PACK DECKS JOKERS OFFSET CUT...
import hashlib, hmac, itertools, sys

def commitment(seed, id):
    return hashlib.sha256(b"tf1:commit:" + id.encode() + b":" + seed).hexdigest()

def shuffled(seed, id, pack, decks, jokers, cuts):
    message = "|".join(["tf1", id, str(pack), str(decks), str(jokers), *cuts])
    blocks = (hmac.digest(seed, f"{message}|{i}".encode(), "sha256") for i in itertools.count())
    words = (block[i] * 256 + block[i + 1] for block in blocks for i in range(0, 32, 2))
    cards = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] * decks + ["Jk"] * jokers
    for last in range(len(cards) - 1, 0, -1):
        m = last + 1
        j = next(word for word in words if word < 65536 - 65536 % m) % m
        cards[last], cards[j] = cards[j], cards[last]
    return cards

if __name__ == "__main__":
    promised, seed, id, pack, decks, jokers, offset, *cuts = sys.argv[1:]
    seed = bytes.fromhex(seed)
    print("The commitment is", "kept." if commitment(seed, id) == promised else "NOT KEPT.")
    print(*shuffled(seed, id, int(pack), int(decks), int(jokers), cuts)[int(offset):])
"""


def dealing_commands(proof: Proof, draw: BankDraw | None = None) -> tuple[str, ...]:
    """Return the commands that deal each pack of a hand: the printed cards begin with those of the hand.

    The last one deals the cards that were drawn for the bank, if there was a draw.
    """
    packs = [
        _command(proof, number, pack, 0 if number else proof.offset, proof.cuts)
        for number, pack in enumerate(proof.packs)
    ]
    return (*packs, _command(proof, PACK, Pack(), 0, draw.cuts)) if draw else tuple(packs)


def _command(proof: Proof, number: int, pack: Pack, offset: int, cuts: tuple[str, ...]) -> str:
    facts = (proof.commitment, proof.seed, proof.id, number, pack.decks, pack.jokers, offset, *cuts)
    return " ".join(("python3 tf1.py", *map(str, facts)))
