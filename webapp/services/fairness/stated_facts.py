"""What a finished hand's JSON tells beside its proof, held against its line of notation and the rules."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, Final

from webapp.engine.game import AnyGame, replay
from webapp.engine.games import GAMES
from webapp.engine.notation import Record

ALWAYS: Final = ("game", "table", "stakes", "moves", "cards", "payouts")


def facts_agree(hand: Mapping[str, Any], record: Record) -> bool:
    """Whether the JSON tells of this hand, and nothing that is not so. KeyError if one of ALWAYS is missing.

    Names, times and the numbers of hands follow from nothing, and are not looked at.
    """
    game, setup = GAMES[record.game], record.setup
    alone = game.spec.seats == 1
    if alone and record.void:
        return False  # only a table can be void that was played to its end: there all may be gone by then
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
        and _end_is_true(hand, record, game)
        and _agrees(hand.get("rules", {}), game.rules(setup.variant))
    )


def _end_is_true(hand: Mapping[str, Any], record: Record, game: AnyGame) -> bool:
    """How it ended, why, and what each seat has of it: as far as that is told."""
    state = replay(game, record.setup, record.moves)
    result, committed = game.result(state), game.committed(state)
    if result is not None and record.payouts is not None:
        statuses, why = ["done"], [label.code for label in result.labels]
    else:
        statuses = ["void"] if record.void else ["void", "forfeited"]
        why = [str(hand.get("status")).upper()]
    paid = committed if record.payouts is None else record.payouts  # of a void round each seat has its stake back
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


def _agrees(told: Any, rule: object) -> bool:
    """Whether all figures and words that are told of the rules are so."""
    if is_dataclass(rule):
        return all(hasattr(rule, name) and _agrees(value, getattr(rule, name)) for name, value in told.items())
    if isinstance(rule, tuple):
        return len(told) == len(rule) and all(map(_agrees, told, rule))
    return type(rule) not in (int, float, str, bool, NoneType) or bool(told == rule)
