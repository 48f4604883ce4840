"""The cards of a round at a shared table: committed before the cuts, sealed until the end, replayed in between."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from webapp.engine.action import Action, Seat
from webapp.engine.game import Setup, states
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.state import Table21State
from webapp.engine.shuffling import SILENT, ShuffledPacks, commitment
from webapp.extensions import db
from webapp.models import RoundSeat, SharedTable, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key, new_seed
from webapp.services.fairness.sealing import SealedSeedError, sealer


@dataclass(frozen=True, slots=True)
class AutoMove:
    """Of a move that nobody made: ``policy`` by which it was played, and the ``reason``: late, away, left or bot."""

    policy: str
    reason: str

    @classmethod
    def parse(cls, word: str) -> Self | None:
        """As it is stored, ``timid/late``; ``-`` is a player's own move."""
        return None if word == "-" else cls(*word.partition("/")[::2])

    def __str__(self) -> str:
        return f"{self.policy}/{self.reason}"


def round_game(round: TableRound | SharedTable) -> Table21Game:
    """Of the games that people play with each other there is one."""
    if round.game != COMPANY.spec.code:
        raise KeyError(round.game)
    return COMPANY


def new_round(table: SharedTable, now: int) -> TableRound:
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
        sealed_seed=sealer().seal(key, table.code, seed),
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


def round_seed(round: TableRound) -> bytes:
    """Revealed, or in the box, which must open the commitment. Refusal ``box-broken``."""
    if round.revealed_seed:
        return bytes.fromhex(round.revealed_seed)
    try:
        seed = sealer().unseal(round.sealed_seed, round.key, round.table_code)
    except SealedSeedError as error:
        raise Refusal("box-broken", round.key) from error
    if commitment(seed, round.key) != round.commitment:
        raise Refusal("box-broken", round.key)
    return seed


def reveal(round: TableRound) -> None:
    """Nothing is hidden any more."""
    round.revealed_seed, round.sealed_seed = round_seed(round).hex(), None


def round_cuts(round: TableRound) -> tuple[str, ...]:
    """Of all seats that play, in the order of the seats."""
    return tuple(bet.cut or SILENT for bet in round.bets)


def round_stakes(round: TableRound) -> tuple[int, ...]:
    return tuple(bet.stake for bet in round.bets)


def round_moves(round: TableRound) -> tuple[Action, ...]:
    return tuple(Action.parse(word) for word in round.moves.split())


def round_auto_moves(round: TableRound) -> tuple[AutoMove | None, ...]:
    """For each move."""
    return tuple(AutoMove.parse(word) for word in round.autos.split())


def round_setup(round: TableRound) -> Setup:
    """Of a round that was dealt."""
    packs = round_game(round).packs(round.variant)
    rows = ShuffledPacks(round_seed(round), round.key, round_cuts(round), packs)
    return Setup(round.variant, round_stakes(round), rows, _banker_of(round))


def round_state(round: TableRound) -> Table21State:
    """The state of a round that was dealt."""
    return round_states(round)[-1]


def round_states(round: TableRound) -> tuple[Table21State, ...]:
    """After the deal, and after each move. The same facts are replayed once."""
    seed, cuts, stakes, banker = round_seed(round), round_cuts(round), round_stakes(round), _banker_of(round)
    return _states(round.game, round.variant, seed, round.key, cuts, stakes, banker, round.moves)


@lru_cache(maxsize=2048)
def _states(
    _game: str,
    variant: str,
    seed: bytes,
    key: str,
    cuts: tuple[str, ...],
    stakes: tuple[int, ...],
    banker: Seat | None,
    moves: str,
) -> tuple[Table21State, ...]:
    rows = ShuffledPacks(seed, key, cuts, COMPANY.packs(variant))
    return tuple(states(COMPANY, Setup(variant, stakes, rows, banker), (Action.parse(word) for word in moves.split())))


def _banker_of(round: TableRound) -> Seat | None:
    """Return the banker's place among the seats that play."""
    return None if round.bank is None else place_of_seat(round, round.bank)


def place_of_seat(round: TableRound, number: int) -> Seat | None:
    """The engine counts only the seats that play: where a seat of the table stands among them."""
    return next((Seat(place) for place, bet in enumerate(round.bets) if bet.number == number), None)


def bet_of_seat(round: TableRound, number: int) -> RoundSeat | None:
    return next((bet for bet in round.bets if bet.number == number), None)


def round_nets(round: TableRound) -> Mapping[int, int]:
    """What each seat of the table won or lost in a finished round."""
    committed = round_game(round).committed(round_state(round))
    return {bet.number: (bet.payout or 0) - chips for bet, chips in zip(round.bets, committed, strict=True)}
