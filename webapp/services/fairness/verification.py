"""Checks of a finished hand that trust nothing but its JSON and the rules.

A site that may name the pack, or the first card, has thousands of orders of cards to choose from after the cut. So what
follows from the rules is not taken from the JSON: which packs are shuffled, with which key, by how many cuts, and where
dealing begins. The JSON states it too, for programs that deal the cards elsewhere, and has to agree.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from types import NoneType
from typing import Any, Final

from webapp.engine.errors import EngineError
from webapp.engine.game import AnyGame, replay
from webapp.engine.games import GAMES
from webapp.engine.notation import Record, loads
from webapp.engine.shuffling import SCHEME, SILENT, ShuffledPacks, commitment
from webapp.services.core import context
from webapp.services.core.cache import Cache

ALWAYS: Final = ("game", "table", "stakes", "moves", "cards", "payouts")
"""Fields of the JSON that follow from the notation of every hand."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one check: ``right`` of ``all`` things are as they should be.

    Kinds: ``commitment`` (the seed opens it), ``packs`` (they are those of the rules), ``cards`` (the seed and the cuts
    deal the same ones), ``payout`` (the moves lead to it, and all that is stated beside it agrees).
    """

    kind: str
    right: int
    all: int

    @property
    def ok(self) -> bool:
        return self.right == self.all


class _Checks(Cache[str, tuple[Check, ...]]):
    """Results of checks, by a digest of the JSON."""


def checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    """Return the checks of a finished hand's JSON. While its shoe is in use only the payouts can be checked.

    Raises:
        ValueError: It is not a finished hand at all. EngineError is among these errors.
    """
    try:
        return _checks(hand)
    except (LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"not a finished hand: {error!r}") from error


def checks_once(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    """Return ``checks``, remembered by the current app as long as the JSON is the same.

    Raises:
        ValueError: As in ``checks``.
    """
    digest = hashlib.sha256(json.dumps(hand, sort_keys=True).encode()).hexdigest()
    return context.current().get(_Checks, lambda _: _Checks(1024)).get(digest, lambda: checks(hand))


def _checks(hand: Mapping[str, Any]) -> tuple[Check, ...]:
    game, proof = GAMES[hand["game"]], hand["proof"]
    cut_card = game.cut_card(hand["table"])
    if proof is None:
        if cut_card is None and not hand.get("daily"):
            raise ValueError("there is no proof, and no shoe in use that it could wait for")
        return (_payout(hand),)
    if proof["scheme"] != SCHEME:
        raise ValueError(f"not a scheme known here: {proof['scheme']!r}")
    seed, offset = bytes.fromhex(proof["seed"]), proof["offset"]
    if not (seed.hex() == proof["seed"] and isinstance(proof["cuts"], list) and type(offset) is int):
        raise ValueError(f"not a finished hand: {str(proof)[:400]}")
    if hand.get("daily"):
        # one deal a day and game, by its name: nobody could choose among several
        id, begin = f"{hand['daily']}-{hand['game']}", 0 if cut_card is None else offset
        fits = (proof["id"], offset) == (id, begin) and tuple(proof["cuts"]) == (SILENT,) and offset >= 0
    elif cut_card is None:
        id, begin = hand["of"] if hand.get("practice") else hand["hand"], 0
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
    """Return True if the stated packs are those of the rules, and there are as many cuts as seats that play."""
    packs = [{"decks": pack.decks, "jokers": pack.jokers} for pack in game.packs(hand["table"])]
    cutting = 1 if game.spec.seats == 1 else len(hand["stakes"])
    stated: bool = hand["proof"]["packs"] == packs[: len(hand["cards"])]
    return stated and len(hand["proof"]["cuts"]) == cutting


def _cards(hand: Mapping[str, Any], packs: ShuffledPacks) -> Check:
    """Deal the cards again and count those that are the same."""
    pairs = [
        (name, str(card))
        for number, row in enumerate(hand["cards"])
        for name, card in zip(row, packs[number], strict=False)
    ]
    return Check("cards", sum(stated == dealt for stated, dealt in pairs), sum(map(len, hand["cards"])))


def _payout(hand: Mapping[str, Any]) -> Check:
    """Replay the notation and compare all other fields with it."""
    try:
        record = loads(hand["notation"])
    except EngineError:
        return Check("payout", 0, 1)
    return Check("payout", int(_facts_agree(hand, record)), 1)


def _facts_agree(hand: Mapping[str, Any], record: Record) -> bool:
    """Return True if all that the JSON states follows from the record and the rules.

    Names, times and the numbers of hands follow from nothing and are not compared.

    Raises:
        KeyError: A field of ``ALWAYS`` is missing.
    """
    game, setup = GAMES[record.game], record.setup
    alone = game.spec.seats == 1
    if alone and record.void:
        return False  # only a round of a shared table can be void though it was played to its end
    facts = {
        "game": record.game,
        "table": setup.variant,
        "stakes": list(setup.stakes),
        "moves": [str(move) for move in record.moves],
        "cards": [[str(card) for card in row] for row in setup.cards],
        "payouts": list(record.payouts or ((0,) if alone else ())),
    }
    return (
        facts == {name: hand[name] for name in ALWAYS}
        and _end_agrees(hand, record, game)
        and _rules_agree(hand.get("rules", {}), game.rules(setup.variant))
    )


def _end_agrees(hand: Mapping[str, Any], record: Record, game: AnyGame) -> bool:
    """Compare status, labels and the result of each seat, as far as they are stated."""
    state = replay(game, record.setup, record.moves)
    result, committed = game.result(state), game.committed(state)
    if result is not None and record.payouts is not None:
        statuses, why = ["done"], [label.code for label in result.labels]
    else:
        statuses = ["void"] if record.void else ["void", "forfeited"]
        why = [str(hand.get("status")).upper()]
    paid = committed if record.payouts is None else record.payouts  # in a void round each seat has its stake back
    seats = [
        {"payout": payout, "net": payout - chips, "banker": place == record.setup.banker}
        for place, (payout, chips) in enumerate(zip(paid, committed, strict=True))
        if "seats" in hand
    ]
    return (
        hand.get("status", statuses[0]) in statuses
        and ("labels" not in hand or [label["code"] for label in hand["labels"]] == why)
        and [{name: seat[name] for name in ("payout", "net", "banker")} for seat in hand.get("seats", ())] == seats
    )


def _rules_agree(stated: Any, rule: object) -> bool:
    """Return True if all numbers and words that are stated of the rules are those of the rules."""
    if is_dataclass(rule):
        return all(hasattr(rule, name) and _rules_agree(value, getattr(rule, name)) for name, value in stated.items())
    if isinstance(rule, tuple):
        return len(stated) == len(rule) and all(map(_rules_agree, stated, rule))
    return type(rule) not in (int, float, str, bool, NoneType) or bool(stated == rule)
