"""Checking a finished hand without trusting whoever wrote it: from its JSON alone, and the rules.

A house that may name the pack, or the card to begin with, has thousands of decks to choose from after the cut. So what
follows from the rules is not taken from the JSON: which packs are shuffled, under whose key, by how many cuts, and
where they are dealt from. The JSON says it too, for whoever deals the cards elsewhere, and has to say the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.engine.errors import EngineError
from webapp.engine.game import AnyGame
from webapp.engine.games import GAMES
from webapp.engine.notation import loads
from webapp.engine.shuffling import SCHEME, ShuffledPacks, commitment
from webapp.services.fairness.stated_facts import facts_agree


@dataclass(frozen=True, slots=True)
class Check:
    """``right`` of ``all`` things of a kind are as they should be. Kinds: commitment, packs, cards, payout."""

    kind: str
    right: int
    all: int

    @property
    def ok(self) -> bool:
        return self.right == self.all


def checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    """Does the seed open the commitment, are these the packs of the rules, are their cards these, and the payouts?

    ``hand`` is a finished hand's JSON. Of one whose shoe is in use only the payouts can be checked. ValueError
    (EngineError among them) if it is not a finished hand at all.
    """
    try:
        return _checks(hand)
    except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"not a finished hand: {error!r}") from error


def _checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    game, proof = GAMES[hand["game"]], hand["proof"]
    cut_card = game.cut_card(hand["table"])
    if proof is None:
        if cut_card is None:
            raise ValueError("there is no proof, and no shoe in use that it could wait for")
        return (_payout(hand),)
    if proof["scheme"] != SCHEME:
        raise ValueError(f"not a scheme known here: {proof['scheme']!r}")
    seed, offset = bytes.fromhex(proof["seed"]), proof["offset"]
    if not (seed.hex() == proof["seed"] and isinstance(proof["cuts"], list) and type(offset) is int):
        raise ValueError(f"not a finished hand: {str(proof)[:400]}")
    if cut_card is None:
        id, begin = hand["hand"], 0
        fits = (proof["id"], offset) == (id, begin)
    else:
        id, begin = proof["id"], offset
        fits = id != hand["hand"] and 0 <= offset < cut_card
    return (
        Check("commitment", int(commitment(seed, id) == proof["commitment"]), 1),
        Check("packs", int(fits and _packs_fit(hand, game)), 1),
        _cards(hand, ShuffledPacks(seed, id, tuple(proof["cuts"]), game.packs(hand["table"]), begin)),
        _payout(hand),
    )


def _packs_fit(hand: Mapping[str, Any], game: AnyGame) -> bool:
    """Whether these packs are shuffled by the rules, and as many cut as play."""
    packs = [{"decks": pack.decks, "jokers": pack.jokers} for pack in game.packs(hand["table"])]
    cutting = 1 if game.spec.seats == 1 else len(hand["stakes"])
    named: bool = hand["proof"]["packs"] == packs[: len(hand["cards"])]
    return named and len(hand["proof"]["cuts"]) == cutting


def _cards(hand: Mapping[str, Any], packs: ShuffledPacks) -> Check:
    pairs = [
        (name, str(card))
        for number, row in enumerate(hand["cards"])
        for name, card in zip(row, packs[number], strict=False)
    ]
    return Check("cards", sum(told == dealt for told, dealt in pairs), sum(map(len, hand["cards"])))


def _payout(hand: Mapping[str, Any]) -> Check:
    """The notation replays, and what the rest tells of the hand is so."""
    try:
        record = loads(hand["notation"])
    except EngineError:
        return Check("payout", 0, 1)
    return Check("payout", int(facts_agree(hand, record)), 1)
