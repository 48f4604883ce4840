"""The script of a finished hand's page deals the site's cards, with the browser's SHA-256 and with its own."""

import hashlib

import pytest

from tests.support.javascript_engines import SCRIPT
from tests.support.proofs import CHECK, from_a_shoe, proof
from tests.support.tf1_cases import cases
from tests.support.tf1_vectors import VECTORS

everywhere = pytest.mark.parametrize("secure", [True, False], ids=["with WebCrypto", "on plain http"])

COMMIT_AND_DEAL = """(packs) => Promise.all(packs.map(async ([seed, id, ...pack]) => [
  await tefudaFair.commitment(seed, id),
  (await tefudaFair.shuffled(seed, id, ...pack)).join(" "),
]))"""
REFUSED = "(proof) => tefudaFair.check(proof).then(() => 'believed', (error) => error.message)"
HAS_WEB_CRYPTO = "async () => !!globalThis.crypto?.subtle"


@everywhere
def test_the_script_runs_with_and_without_web_crypto(javascript, secure):
    assert javascript.run(HAS_WEB_CRYPTO, None, secure) is secure


@everywhere
def test_the_published_cards_are_dealt(javascript, secure):
    packs = [(v.seed_hex, v.id, v.pack, v.decks, v.jokers, v.cuts) for v in VECTORS]
    found = javascript.run(COMMIT_AND_DEAL, packs, secure)
    assert [(commitment, hashlib.sha256(cards.encode()).hexdigest()) for commitment, cards in found] == [
        (vector.commitment, vector.sha256) for vector in VECTORS
    ]


@everywhere
def test_five_hundred_random_packs_are_dealt_alike(javascript, secure):
    found = javascript.run(COMMIT_AND_DEAL, [case[:6] for case in cases()], secure)
    for case, (commitment, cards) in zip(cases(), found, strict=True):
        assert (commitment, cards) == (case.commitment, case.cards), case


@everywhere
def test_a_true_proof_is_found_true(javascript, secure):
    found = javascript.run(CHECK, proof(), secure)
    assert found == {"commitment": True, "cards": [[True] * 10, [True] * 5], "right": 15, "all": 15}


def test_the_first_cards_of_a_round_may_lie_deep_in_a_shoe(javascript):
    found = javascript.run(CHECK, from_a_shoe(), True)
    assert found == {"commitment": True, "cards": [[True] * 6], "right": 6, "all": 6}


def test_a_card_that_does_not_follow_is_found(javascript):
    true = proof()["cards"]
    forged = [[*true[0][:3], true[0][4], *true[0][4:]], true[1]]
    found = javascript.run(CHECK, proof(cards=forged), True)
    assert found["cards"] == [[True] * 3 + [False] + [True] * 6, [True] * 5]
    assert (found["commitment"], found["right"], found["all"]) == (True, 14, 15)


def test_a_commitment_to_another_seed_is_found(javascript):
    found = javascript.run(CHECK, proof(commitment=VECTORS[1].commitment), True)
    assert (found["commitment"], found["right"]) == (False, 15)


def test_another_cut_deals_other_cards(javascript):
    found = javascript.run(CHECK, proof(cuts=["-"]), True)
    assert found["commitment"] is True
    assert found["right"] < 5


ONE_PACK = {"decks": 1, "jokers": 0}
IMPOSSIBLE = {
    "a pack that is not named": proof(packs=[ONE_PACK]),
    "a pack that nothing is dealt from": proof(packs=[ONE_PACK] * 3),
    "packs of its own, not from the top": proof(offset=1),
    "packs of its own, under another key": proof(hand="another"),
    "a shoe under the key of the hand": from_a_shoe(hand=proof()["id"]),
    "a shoe and another pack": from_a_shoe(packs=[ONE_PACK] * 2, cards=proof()["cards"]),
    "a place before the first card": from_a_shoe(offset=-1),
    "a place that is half a card": from_a_shoe(offset=0.5),
    "a place in words": from_a_shoe(offset="4"),
    "a place behind the last card": from_a_shoe(offset=47),
    "nine decks": proof(packs=[{"decks": 9, "jokers": 0}, ONE_PACK]),
    "no deck": proof(packs=[{"decks": 0, "jokers": 2}, ONE_PACK]),
    "three jokers": proof(packs=[{"decks": 1, "jokers": 3}, ONE_PACK]),
    "jokers that are not named": proof(packs=[{"decks": 1}, ONE_PACK]),
    "nobody who cuts": proof(cuts=[]),
    "a cut that is two": proof(cuts=["a|b"]),
    "cuts that are numbers": proof(cuts=[1]),
    "no hand": {name: value for name, value in from_a_shoe().items() if name != "hand"},
}


@pytest.mark.parametrize("facts", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_hand_that_no_rules_deal_is_refused(javascript, facts):
    assert javascript.run(REFUSED, facts, True) == "no hand is dealt like this"


@pytest.mark.parametrize(
    "changed, says",
    [
        ({"scheme": "tf2"}, "not a scheme known here: tf2"),
        ({"seed": "00"}, "not a seed: 00"),
        ({"seed": "zz" * 32}, f"not a seed: {'zz' * 32}"),
    ],
)
def test_what_is_not_a_proof_is_refused(javascript, changed, says):
    assert javascript.run(REFUSED, proof(**changed), True) == says


def test_the_script_is_small_and_obeys_the_strict_policy():
    text = SCRIPT.read_text("utf-8")
    assert len(text) < 8_500
    for forbidden in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", ".style", "fetch("):
        assert forbidden not in text
