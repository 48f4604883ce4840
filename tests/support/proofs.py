"""Proofs of made-up hands, as the page of a finished hand gives them to its script."""

from tests.support.tf1_vectors import VECTORS
from webapp.engine.shuffling import shuffled

CHECK = "(proof) => tefudaFair.check(proof)"


def proof(**changed) -> dict:
    """Return the proof of a hand of two packs: ten cards of the first, five of the second."""
    vector = VECTORS[0]
    packs = [{"decks": 1, "jokers": 0}, {"decks": 1, "jokers": 0}]
    rows = [shuffled(vector.seed, vector.id, pack, 1, 0, vector.cuts) for pack in (0, 1)]
    return {
        "scheme": "tf1",
        "hand": vector.id,
        "id": vector.id,
        "commitment": vector.commitment,
        "seed": vector.seed_hex,
        "cuts": list(vector.cuts),
        "packs": packs,
        "offset": 0,
        "cards": [list(map(str, rows[0][:10])), list(map(str, rows[1][:5]))],
        **changed,
    }


def from_a_shoe(**changed) -> dict:
    """Return the proof of a hand that begins with the fifth card of a one-deck shoe."""
    true = proof()
    return (
        true | {"hand": "of-a-shoe", "offset": 4, "packs": true["packs"][:1], "cards": [true["cards"][0][4:]]} | changed
    )
