"""Values of the engine from the row of a round at a shared table: seed, setup, moves, states and results."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from webapp.engine.action import Action, Seat
from webapp.engine.bank_draw import BankDraw, draw_for_bank
from webapp.engine.cards import Card
from webapp.engine.game import Setup
from webapp.engine.games import COMPANY
from webapp.engine.games.table21.game import Table21Game
from webapp.engine.games.table21.state import Table21State
from webapp.engine.shuffling import SILENT, ShuffledPacks, commitment
from webapp.models import RoundSeat, SharedTable, TableRound
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import SealedSeedError, sealer
from webapp.services.records.replays import Replay, replayed
from webapp.services.records.stored_hand import parse_moves


@dataclass(frozen=True, slots=True)
class AutoMove:
    """A move that was made for a seat: its ``policy``, and the ``reason``: late, away, left, bot or forced.

    Forced is what has no alternative by the rules of the bank. Rounds that were played before reasons were stored have
    an empty one.
    """

    policy: str
    reason: str

    @classmethod
    def parse(cls, word: str) -> Self | None:
        """Read what is stored: ``timid/late``, or ``timid`` in old rounds. Return None for ``-``, the player."""
        return None if word == "-" else cls(*word.partition("/")[::2])

    def __str__(self) -> str:
        return f"{self.policy}/{self.reason}" if self.reason else self.policy


def round_game(round: TableRound | SharedTable) -> Table21Game:
    """Return the game of a round or a table; so far there is one that several people play.

    Raises:
        KeyError: It is another game.
    """
    if round.game != COMPANY.spec.code:
        raise KeyError(round.game)
    return COMPANY


def round_seed(round: TableRound) -> bytes:
    """Return the seed of a round, revealed or sealed.

    Raises:
        Refusal: ``round-sealed``: no key opens it, or it does not open the commitment; ``hand-sealed``: the same of a
            round that is over.
    """
    if round.revealed_seed:
        return bytes.fromhex(round.revealed_seed)
    try:
        seed = sealer().unseal(round.sealed_seed, round.key, round.table_code)
    except SealedSeedError as error:
        raise Refusal("round-sealed" if round.finished_at is None else "hand-sealed", round.key) from error
    if commitment(seed, round.key) != round.commitment:
        raise Refusal("round-sealed" if round.finished_at is None else "hand-sealed", round.key)
    return seed


def is_sealed(round: TableRound) -> bool:
    """Return True if no key opens the seed of a round."""
    try:
        round_seed(round)
    except Refusal:
        return True
    return False


def round_cuts(round: TableRound) -> tuple[str, ...]:
    """Return the cuts of all seats that play, in the order of the seats."""
    return tuple(bet.cut or SILENT for bet in round.bets)


def round_stakes(round: TableRound) -> tuple[int, ...]:
    """Return the stakes of all seats that play, in the order of the seats."""
    return tuple(bet.stake for bet in round.bets)


def round_moves(round: TableRound) -> tuple[Action, ...]:
    """Return the moves of a round."""
    return parse_moves(round.moves)


def round_auto_moves(round: TableRound) -> tuple[AutoMove | None, ...]:
    """Return for each move how and why it was made for the seat, None if the player made it."""
    return tuple(AutoMove.parse(word) for word in round.autos.split())


def add_move(round: TableRound, action: Action, auto: AutoMove | None) -> None:
    """Add a move to a round. ``auto``: how and why it was made for the seat, None if the player made it."""
    round.moves = " ".join((*round.moves.split(), str(action)))
    round.autos = " ".join((*round.autos.split(), str(auto or "-")))
    round.step += 1


def add_draw(round: TableRound, cuts: Mapping[int, str | None]) -> BankDraw:
    """Draw the first banker of a table. ``cuts``: the words of the seats that draw, by their numbers."""
    round.bank_draw = " ".join(f"{number}:{cut or SILENT}" for number, cut in sorted(cuts.items()))
    drawn = round_draw(round)
    assert drawn is not None
    return drawn


def round_draw(round: TableRound) -> BankDraw | None:
    """Return the draw for the bank before a round; None for all but the first of a table."""
    words = [word.partition(":") for word in (round.bank_draw or "").split()]
    seats, cuts = tuple(int(number) for number, _, _ in words), tuple(cut for _, _, cut in words)
    return draw_for_bank(round_seed(round), round.key, seats, cuts) if words else None


def round_setup(round: TableRound) -> Setup:
    """Return the setup of a round that was dealt."""
    packs = round_game(round).packs(round.variant)
    cards = ShuffledPacks(round_seed(round), round.key, round_cuts(round), packs)
    banker = None if round.banker is None else place_of_seat(round, round.banker)
    return Setup(round.variant, round_stakes(round), cards, banker)


def round_replay(round: TableRound) -> Replay:
    """Return the replay of a round that was dealt. The states of one that is void say who would have won nowhere."""
    game = round_game(round)
    replay = replayed(game, round_setup(round), round_moves(round))
    return replace(replay, states=tuple(map(game.voided, replay.states))) if round.status == "void" else replay


def round_states(round: TableRound) -> tuple[Table21State, ...]:
    """Return the states of a round that was dealt: after the deal, and after each move."""
    return round_replay(round).states


def round_state(round: TableRound) -> Table21State:
    """Return the state of a round that was dealt."""
    return round_states(round)[-1]


def place_of_seat(round: TableRound, number: int) -> Seat | None:
    """Return the engine's number of a seat of the table: the engine counts only seats that play."""
    return next((Seat(place) for place, bet in enumerate(round.bets) if bet.number == number), None)


def bet_of_seat(round: TableRound, number: int | None) -> RoundSeat | None:
    """Return the part of a seat in a round, None if it does not play in it."""
    return next((bet for bet in round.bets if bet.number == number), None)


def round_nets(round: TableRound) -> Mapping[int, int]:
    """Return for each seat of the table what it won or lost in a finished round."""
    committed = round_game(round).committed(round_state(round))
    return {bet.number: (bet.payout or 0) - chips for bet, chips in zip(round.bets, committed, strict=True)}


@dataclass(frozen=True, slots=True)
class PastRoundFacts:
    """A finished round in a list: nets and first hands by player, and the summary cards.

    ``returned``: of a round that is void, the chips that went back, by player.
    """

    key: str
    seq: int
    void: bool
    banker: str
    summary_cards: tuple[Card, ...]
    nets: tuple[tuple[str, int], ...]
    hands: tuple[tuple[str, tuple[Card, ...]], ...]
    returned: tuple[tuple[str, int], ...] = ()


def past_round(round: TableRound) -> PastRoundFacts:
    """Return the facts of a round that was dealt and is over."""
    state, nets = round_state(round), round_nets(round)
    banker = bet_of_seat(round, round.banker)
    assert banker is not None
    summary_cards = round_game(round).summary_cards(state)
    return PastRoundFacts(
        key=round.key,
        seq=round.seq,
        void=round.status == "void",
        banker=banker.player_id,
        summary_cards=summary_cards,
        nets=tuple((bet.player_id, nets[bet.number]) for bet in round.bets),
        hands=tuple(
            (bet.player_id, summary_cards if bet is banker else state.hands[place][0].cards)
            for place, bet in enumerate(round.bets)
        ),
        returned=round_returns(round),
    )


def round_returns(round: TableRound) -> tuple[tuple[str, int], ...]:
    """Return the chips that went back with the end of a round, by player: none if it is not void."""
    if round.status != "void":
        return ()
    return tuple((bet.player_id, bet.payout) for bet in round.bets if bet.payout)
