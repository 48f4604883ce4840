"""The cards of a round at a shared table: committed before the cuts, sealed until the end, replayed in between."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from webapp.engine.action import Action, Seat
from webapp.engine.families.table import TableGame
from webapp.engine.families.table_state import TableState
from webapp.engine.game import Setup, states
from webapp.engine.games import COMPANY
from webapp.engine.shuffling import SILENT, ShuffledPacks, commitment
from webapp.extensions import db
from webapp.models import CardTable, RoundSeat, TableRound
from webapp.services.chance import new_key, new_seed
from webapp.services.refusal import Refusal
from webapp.services.sealing import BoxBroken, sealer


@dataclass(frozen=True, slots=True)
class Auto:
    """Of a move that nobody made: ``policy`` by which it was played, and the ``reason``: late, away, left or bot."""

    policy: str
    reason: str

    @classmethod
    def parse(cls, word: str) -> Self | None:
        """As it is stored, ``timid/late``; ``-`` is a player's own move."""
        return None if word == "-" else cls(*word.partition("/")[::2])

    def __str__(self) -> str:
        return f"{self.policy}/{self.reason}"


def game_of(round: TableRound | CardTable) -> TableGame:
    """Of the games that people play with each other there is one."""
    if round.game != COMPANY.spec.code:
        raise KeyError(round.game)
    return COMPANY


def new_round(table: CardTable, now: int) -> TableRound:
    """The next one: its seed is drawn and its commitment stands, before anybody has cut."""
    seed, key = new_seed(), new_key()
    round = TableRound(
        key=key,
        table_code=table.code,
        game=table.game,
        variant=table.variant,
        seq=table.rounds + 1,
        status="ready",
        commitment=commitment(seed, key),
        box=sealer().seal(key, table.code, seed),
        moves="",
        autos="",
        step=0,
        dealt=False,
        created_at=now,
        bets=[],
    )
    table.round_key = key
    db.session.add(round)
    return round


def seed_of(round: TableRound) -> bytes:
    """Revealed, or in the box, which must open the commitment. Refusal ``box-broken``."""
    if round.reveal:
        return bytes.fromhex(round.reveal)
    try:
        seed = sealer().unseal(round.box, round.key, round.table_code)
    except BoxBroken as error:
        raise Refusal("box-broken", round.key) from error
    if commitment(seed, round.key) != round.commitment:
        raise Refusal("box-broken", round.key)
    return seed


def reveal(round: TableRound) -> None:
    """Nothing is hidden any more."""
    round.reveal, round.box = seed_of(round).hex(), None


def cuts_of(round: TableRound) -> tuple[str, ...]:
    """Of all seats that play, in the order of the seats."""
    return tuple(bet.cut or SILENT for bet in round.bets)


def stakes_of(round: TableRound) -> tuple[int, ...]:
    return tuple(bet.stake for bet in round.bets)


def moves_of(round: TableRound) -> tuple[Action, ...]:
    return tuple(Action.parse(word) for word in round.moves.split())


def autos_of(round: TableRound) -> tuple[Auto | None, ...]:
    """For each move."""
    return tuple(Auto.parse(word) for word in round.autos.split())


def setup_of(round: TableRound) -> Setup:
    """Of a round that was dealt."""
    packs = game_of(round).packs(round.variant)
    return Setup(round.variant, stakes_of(round), ShuffledPacks(seed_of(round), round.key, cuts_of(round), packs))


def state_of(round: TableRound) -> TableState:
    """The state of a round that was dealt."""
    return states_of(round)[-1]


def states_of(round: TableRound) -> tuple[TableState, ...]:
    """After the deal, and after each move. The same facts are replayed once."""
    return _states(round.game, round.variant, seed_of(round), round.key, cuts_of(round), stakes_of(round), round.moves)


@lru_cache(maxsize=2048)
def _states(
    _game: str, variant: str, seed: bytes, key: str, cuts: tuple[str, ...], stakes: tuple[int, ...], moves: str
) -> tuple[TableState, ...]:
    rows = ShuffledPacks(seed, key, cuts, COMPANY.packs(variant))
    return tuple(states(COMPANY, Setup(variant, stakes, rows), (Action.parse(word) for word in moves.split())))


def place_of(round: TableRound, number: int) -> Seat | None:
    """The engine counts only the seats that play: where a seat of the table stands among them."""
    return next((Seat(place) for place, bet in enumerate(round.bets) if bet.number == number), None)


def bet_of(round: TableRound, number: int) -> RoundSeat | None:
    return next((bet for bet in round.bets if bet.number == number), None)


def nets_of(round: TableRound) -> Mapping[int, int]:
    """What each seat of the table won or lost in a finished round."""
    committed = game_of(round).committed(state_of(round))
    return {bet.number: (bet.payout or 0) - chips for bet, chips in zip(round.bets, committed, strict=True)}
