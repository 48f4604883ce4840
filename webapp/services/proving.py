"""Checking a finished hand without trusting whoever wrote it: from its JSON alone, and the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.engine.cards import format_cards
from webapp.engine.errors import EngineError
from webapp.engine.notation import Record, loads
from webapp.engine.shuffling import SCHEME, commitment, shuffled


@dataclass(frozen=True, slots=True)
class Check:
    """``right`` of ``all`` things of a kind are as they should be. Kinds: commitment, cards, payout."""

    kind: str
    right: int
    all: int

    @property
    def ok(self) -> bool:
        return self.right == self.all


def checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    """Does the seed open the commitment, does it deal the cards, do the moves lead to the payouts?

    ``hand`` is a finished hand's JSON. ValueError (EngineError among them) if it is not one at all.
    """
    try:
        return _checks(hand)
    except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"not a finished hand: {error!r}") from error


def _checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    proof, dealt = hand["proof"], [list(row) for row in hand["cards"]]
    if proof is None:
        return (_payout(hand),)
    if proof["scheme"] != SCHEME:
        raise ValueError(f"not a scheme known here: {proof['scheme']!r}")
    seed, id, cuts = bytes.fromhex(proof["seed"]), str(proof["id"]), tuple(proof["cuts"])
    again = [
        format_cards(shuffled(seed, id, number, pack["decks"], pack["jokers"], cuts)).split()
        for number, pack in enumerate(proof["packs"])
    ]
    opened = Check("commitment", int(commitment(seed, id) == proof["commitment"]), 1)
    offset = int(proof["offset"])
    right = 0
    for number, row in enumerate(dealt):
        start = offset if number == 0 else 0
        fresh = again[number][start : start + len(row)] if number < len(again) else []
        right += sum(a == b for a, b in zip(row, fresh, strict=False))
    return (opened, Check("cards", right, sum(map(len, dealt))), _payout(hand))


def _payout(hand: Mapping[str, Any]) -> Check:
    """The notation replays, and tells of the same hand as the rest."""
    try:
        record = loads(hand["notation"])
    except EngineError:
        return Check("payout", 0, 1)
    payouts = [] if record.payouts is None and hand["payouts"] == [0] else hand["payouts"]
    told = (hand["game"], hand["table"], hand["stakes"], hand["moves"], hand["cards"], payouts)
    return Check("payout", int(told == _told(record)), 1)


def _told(record: Record) -> tuple[Any, ...]:
    setup = record.setup
    return (
        record.game,
        setup.variant,
        list(setup.stakes),
        [str(move) for move in record.moves],
        [[str(card) for card in row] for row in setup.cards],
        list(record.payouts or ()),
    )
