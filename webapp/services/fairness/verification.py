"""Checks of a finished hand that trust nothing but its JSON and the rules.

A site that may name the pack, or the first card, has thousands of orders of cards to choose from after the cut. So what
follows from the rules is not taken from the JSON: which packs are shuffled, with which key, by how many cuts, and where
dealing begins. The JSON states it too, for programs that deal the cards elsewhere, and has to agree.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import current_app

from webapp.engine.bank_draw import draw_for_bank
from webapp.engine.errors import EngineError
from webapp.engine.game import AnyGame, replay
from webapp.engine.games import COMPANY, GAMES
from webapp.engine.label import Label
from webapp.engine.notation import Record, loads
from webapp.engine.shuffling import SCHEME, SILENT, ShuffledPacks, commitment
from webapp.services.core.cache import Cache
from webapp.services.fairness.agreement import agrees

ALWAYS: Final = ("game", "table", "stakes", "moves", "cards", "payouts")
"""Fields of the JSON that follow from the notation of every hand."""
BELIEVED: Final = frozenset(
    {
        "seq",
        "player",
        "helped",
        "review",
        "round",
        "finished_at",
        "labels.text",
        "seats.seat",
        "seats.name",
        "seats.bot",
        "seats.auto_bet",
        "autos",
        "reasons",
        "commitment",
        "unpaid",
    }
)
"""Fields of the JSON that follow from nothing in it, or only whether they are there: names, times, numbers of hands,
sentences, who made a move, what had no room in a purse, and the review, which says what moves are worth. ``hand`` is
believed of a shoe."""


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


class Checks(Cache[str, tuple[Check, ...]]):
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
    known: Checks = current_app.extensions["checks"]
    return known.get(digest, lambda: checks(hand))


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
        Check("packs", int(fits and _packs_fit(hand, game) and _draw_fits(hand, seed, id)), 1),
        _cards(hand, ShuffledPacks(seed, id, tuple(proof["cuts"]), game.packs(hand["table"]), begin)),
        _payout(hand),
    )


def _packs_fit(hand: Mapping[str, Any], game: AnyGame) -> bool:
    """Return True if the stated packs are those of the rules, and there are as many cuts as seats that play."""
    packs = [{"decks": pack.decks, "jokers": pack.jokers} for pack in game.packs(hand["table"])[: len(hand["cards"])]]
    cutting = 1 if game.spec.seats == 1 else len(hand["stakes"])
    stated = hand["proof"]["packs"]
    return stated == packs and agrees(stated, packs) and len(hand["proof"]["cuts"]) == cutting


def _draw_fits(hand: Mapping[str, Any], seed: bytes, id: str) -> bool:
    """Draw the first banker of a table again."""
    if "draw" not in hand:
        return True
    seats, cuts = tuple(hand["draw"]["seats"]), tuple(hand["draw"]["cuts"])
    in_order = 2 <= len(seats) == len(set(seats)) == len(cuts) and list(seats) == sorted(seats)
    is_possible = hand["game"] == COMPANY.spec.code and in_order
    return is_possible and agrees(hand["draw"], draw_for_bank(seed, id, seats, cuts))


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
    """Return True if all that the JSON states follows from the record and the rules, but for what is ``BELIEVED``.

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
        "stakes": setup.stakes,
        "moves": record.moves,
        "cards": setup.cards,
        "payouts": record.payouts or ((0,) if alone else ()),
    }
    return (
        agrees({name: hand[name] for name in ALWAYS}, facts)
        and agrees(hand.get("rules", {}), game.rules(setup.variant))
        and _kind_agrees(hand)
        and _end_agrees(hand, record, game)
        and (not alone or not {"seats", "autos", "reasons"} & hand.keys())
    )


def _kind_agrees(hand: Mapping[str, Any]) -> bool:
    """Compare what says if the hand was played for chips, for practice, or as a daily deal, and when it is proved."""
    again, daily, proof = hand.get("practice", False), hand.get("daily"), hand["proof"]
    is_numbered = not again and daily is None
    waits = None if proof is not None else "when-the-shoe-is-finished" if daily is None else "when-the-day-is-over"
    return (
        isinstance(again, bool)
        and not (again and daily is not None)
        and (hand.get("of") is not None) == again
        and (hand.get("round") is not None) == (daily is not None)
        and ("seq" not in hand or (hand["seq"] is not None) == is_numbered)
        and hand.get("proof_opens", waits) == waits
        and (proof is None or "commitment" not in hand)
    )


def _end_agrees(hand: Mapping[str, Any], record: Record, game: AnyGame) -> bool:
    """Compare status, labels and chips of the hand and of each seat, as far as they are stated."""
    state = replay(game, record.setup, record.moves)
    result, committed = game.result(state), game.committed(state)
    status, moves = hand.get("status"), len(record.moves)
    statuses: tuple[str, ...]
    if result is not None and record.payouts is not None:
        statuses, labels = ("done",), result.labels
    else:
        statuses, labels = ("void",) if record.void else ("void", "forfeited"), (Label(str(status).upper()),)
    paid = committed if record.payouts is None else record.payouts  # in a void round each seat has its stake back
    staked, net, unpaid = sum(committed), None, hand.get("unpaid", 0)
    if type(unpaid) is not int or not 0 <= unpaid <= sum(record.payouts or ()):
        return False
    if game.spec.seats == 1 and game.rules(record.setup.variant).bets is not None:
        net = 0 if status == "void" else sum(record.payouts or ()) - staked - unpaid
    seats = tuple(
        {"place": place, "payout": payout, "net": payout - chips, "banker": place == record.setup.banker}
        for place, (payout, chips) in enumerate(zip(paid, committed, strict=True))
    )
    stated_seats = [
        {"place": seat.get("place", place), **{name: seat[name] for name in ("payout", "net", "banker")}}
        for place, seat in enumerate(hand.get("seats", ()))
    ]
    autos, reasons = hand.get("autos", [None] * moves), hand.get("reasons", [None] * moves)
    return (
        ("status" not in hand or status in statuses)
        and ("labels" not in hand or _labels_agree(hand, labels))
        and ("staked" not in hand or agrees(hand["staked"], staked))
        and ("net" not in hand or agrees(hand["net"], net))
        and ("seats" not in hand or agrees(stated_seats, seats))
        and len(autos) == len(reasons) == moves
    )


def _labels_agree(hand: Mapping[str, Any], labels: tuple[Label, ...]) -> bool:
    """Compare labels, which name seats by their numbers at the table; files from before name their places."""
    if agrees(hand["labels"], labels):
        return True
    numbers = [seat["seat"] for seat in hand.get("seats", ())]
    return len(numbers) == len(hand["stakes"]) and agrees(
        hand["labels"], tuple(label.at_table(numbers) for label in labels)
    )
