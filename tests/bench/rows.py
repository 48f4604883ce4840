"""Finished hands by the thousand, played by the engine and stored directly; the audit accepts them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from flask import Flask
from sqlalchemy import insert, select

from webapp.engine.action import Action
from webapp.engine.game import Setup, states
from webapp.engine.games import GAMES
from webapp.engine.label import Label
from webapp.engine.notation import dumps, record
from webapp.engine.shuffling import ShuffledPacks, commitment
from webapp.extensions import db
from webapp.models import Hand, LedgerEntry, OutcomeStatistics, Player, Purse

CODE: Final = "poker"
BATCH: Final = 2_000
NEWEST: Final = 1_750_000_000_000


@dataclass(frozen=True)
class Played:
    """A played hand."""

    key: str
    seed: bytes
    cut: str
    moves: tuple[Action, ...]
    payout: int
    labels: tuple[Label, ...]

    def setup(self) -> Setup:
        """Return the setup; its packs are shuffled when first used."""
        return _setup(self.key, self.seed, self.cut)

    @property
    def line(self) -> str:
        return dumps(record(GAMES[CODE], self.setup(), self.moves))


def played(count: int, seed: int = 1) -> Iterator[Played]:
    """Yield random hands: any cards are held, and every second win is doubled."""
    chance, game = Random(seed), GAMES[CODE]
    for number in range(count):
        key, secret, cut = f"{seed:02}{number:08}", chance.randbytes(32), f"cut-{number}"
        setup = _setup(key, secret, cut)
        (state,) = states(game, setup, ())
        moves: list[Action] = []
        while legal := game.legal_actions(state):
            moves.append(chance.choice(legal))
            state = game.apply(state, moves[-1])
        result = game.result(state)
        assert result is not None
        yield Played(key, secret, cut, tuple(moves), sum(result.payouts), result.labels)


def fill(app: Flask, count: int, players: int = 100, seed: int = 1) -> list[str]:
    """Store hands of new players, half of them the first one's. Return the ids of the players."""
    ids = [f"bench-{seed}-{number}" for number in range(players)]
    seats = [0 if number % 2 else 1 + number // 2 % (players - 1) for number in range(count)]
    purses = [{"player_id": id, "game": CODE, "balance": 0, "best": 0, "hands": 0} for id in ids]
    with app.app_context(), db.session.begin():
        db.session.execute(insert(Player), [{"id": id, "name": "", "created_at": NEWEST} for id in ids])
        db.session.execute(insert(Purse), purses)
    hands = enumerate(played(count, seed))
    counts: dict[tuple[str, str], list[int]] = {}
    while batch := list(islice(hands, BATCH)):
        rows, entries = [], []
        for number, hand in batch:
            purse, at = purses[seats[number]], NEWEST - 1000 * (count - number)
            purse["hands"] += 1
            rows.append(_row(hand, purse, at))
            counted = counts.setdefault((purse["player_id"], hand.labels[0].code), [0, 0])
            counted[0], counted[1] = counted[0] + 1, counted[1] + hand.payout
            if hand.payout:
                purse["balance"] += hand.payout
                purse["best"] = max(purse["best"], hand.payout)
                entries.append(_entry(hand, purse, at))
        with app.app_context(), db.session.begin():
            db.session.execute(insert(Hand.__table__), rows)
            db.session.execute(insert(LedgerEntry.__table__), entries)
    with app.app_context(), db.session.begin():
        for purse in purses:
            db.session.merge(Purse(**purse))
        common = {"game": CODE, "variant": GAMES[CODE].spec.default, "staked": 0}
        db.session.execute(
            insert(OutcomeStatistics),
            [
                {"player_id": player, "outcome": outcome, "hands": number, "returned": returned, **common}
                for (player, outcome), (number, returned) in counts.items()
            ],
        )
    return ids


def stored_keys(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(select(Hand.key)))


def _row(hand: Played, purse: dict[str, Any], at: int) -> dict[str, Any]:
    return {
        "key": hand.key,
        "player_id": purse["player_id"],
        "game": CODE,
        "variant": GAMES[CODE].spec.default,
        "seq": purse["hands"],
        "status": "done",
        "commitment": commitment(hand.seed, hand.key),
        "cut": hand.cut,
        "stakes": "",
        "moves": " ".join(map(str, hand.moves)),
        "step": len(hand.moves),
        "marks": "",
        "payouts": str(hand.payout),
        "outcome": hand.labels[0].code,
        "revealed_seed": hand.seed.hex(),
        "created_at": at - 60_000,
        "moved_at": at,
        "finished_at": at,
    }


def _entry(hand: Played, purse: dict[str, Any], at: int) -> dict[str, Any]:
    return {
        "player_id": purse["player_id"],
        "game": CODE,
        "hand_key": hand.key,
        "reason": "payout",
        "amount": hand.payout,
        "balance_after": purse["balance"],
        "at": at,
    }


def _setup(key: str, seed: bytes, cut: str) -> Setup:
    game = GAMES[CODE]
    return Setup(game.spec.default, (), ShuffledPacks(seed, key, (cut,), game.packs(game.spec.default)))
