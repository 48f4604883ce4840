"""Finished hands: the same for everybody who has the link, for ever."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from webapp.engine.action import Action
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, Pack, Setup, View, replay, states
from webapp.engine.label import Label
from webapp.engine.notation import Record, dumps, record
from webapp.engine.shuffling import SCHEME, commitment, is_word
from webapp.extensions import db
from webapp.models import Hand, Player, Shoe, TableRound
from webapp.services.core.clock import to_datetime
from webapp.services.core.errors import Refusal
from webapp.services.fairness.sealing import hand_seed, seed_owner
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup
from webapp.services.tables import round_cards


@dataclass(frozen=True, slots=True)
class Proof:
    """All that is needed to deal the cards again. ``offset``: cards of a shoe that went before this hand."""

    id: str
    commitment: str
    seed: str
    cuts: tuple[str, ...]
    packs: tuple[Pack, ...]
    offset: int = 0
    scheme: str = SCHEME


@dataclass(frozen=True, slots=True)
class Step:
    """The table after one action; ``action`` is None for the deal."""

    index: int
    action: Action | None
    view: View


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """One of several at a table. ``moves``: what was played there, and how and why, if not by the player.

    ``number`` is that of the seat at its table; ``net`` the change in chips.
    """

    number: int
    name: str
    bot: bool
    bank: bool
    stake: int
    auto_bet: bool
    moves: tuple[tuple[Action, round_cards.AutoMove | None], ...]
    payout: int
    net: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A hand with nothing left to hide. ``payouts`` are 0 when it was never played out; of several at a table there are
    none then, nor in a round that is void: each seat has its stake back.
    """

    key: str
    game: AnyGame
    table: str
    rules: Any
    seq: int
    status: str
    player: str
    setup: Setup
    moves: tuple[Action, ...]
    cards: tuple[tuple[Card, ...], ...]
    payouts: tuple[int, ...]
    labels: tuple[Label, ...]
    commitment: str
    proof: Proof | None
    """None while the shoe of the hand is still in use."""
    record: Record
    finished_at: datetime
    seats: tuple[FinishedSeat, ...] = ()
    """Where several played, in the order of the stakes."""
    autos: tuple[round_cards.AutoMove | None, ...] = ()
    """For each move, as in ``FinishedSeat``."""

    @property
    def score(self) -> int:
        """The number of a hand: what was paid; of a round among several, what the bank won or lost."""
        return sum(self.payouts) if not self.seats else abs(next(seat.net for seat in self.seats if seat.bank))

    @property
    def notation(self) -> str:
        return dumps(self.record)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The hand as a spectator sees it, after the deal and after each action."""
        played = zip((None, *self.moves), states(self.game, self.setup, self.moves), strict=True)
        return tuple(Step(index, action, self.game.view(state, None)) for index, (action, state) in enumerate(played))

    @property
    def last(self) -> Any:
        """The state in which the hand ended."""
        return replay(self.game, self.setup, self.moves)

    @property
    def honest(self) -> bool:
        """Whether the seed opens the commitment. (The cards are dealt from the seed, here as everywhere.)"""
        proof = self.proof
        return proof is not None and commitment(bytes.fromhex(proof.seed), proof.id) == proof.commitment


def finished_hand(key: str) -> Finished:
    """The hand of a link. Refusal ``hand-not-found`` for a key that is unknown, or whose hand is not over, and
    ``hand-sealed`` for a hand that no secret key opens.
    """
    query = select(Hand, Player.name).join(Player, Player.id == Hand.player_id).where(Hand.key == key)
    found = db.session.execute(query).one_or_none() if is_word(key) else None
    if found is None:
        return _finished_round(key)
    if found[0].finished_at is None or found[0].cut is None:
        raise Refusal("hand-not-found")
    return finished_of(*found)


def _finished_round(key: str) -> Finished:
    """A round of a table that people share."""
    round = db.session.get(TableRound, key) if is_word(key) else None
    if round is None or round.finished_at is None or not round.dealt:
        raise Refusal("hand-not-found")
    return finished_round_of(round)


def finished_round_of(round: TableRound) -> Finished:
    """Replays a public row. EngineError if it does not replay."""
    if round.finished_at is None or round.revealed_seed is None:
        raise ValueError(f"round {round.key} is not public")
    game, setup, moves = round_cards.round_game(round), round_cards.round_setup(round), round_cards.round_moves(round)
    people = {bet.player_id for bet in round.bets}
    query = select(Player.id, Player.name).where(Player.id.in_(people))
    names = {row.id: row.name for row in db.session.execute(query)}
    autos = round_cards.round_auto_moves(round)
    seats = tuple(_seat_of(round, place, names, moves, autos) for place in range(len(round.bets)))
    made = _finished(round, game, setup, moves, ", ".join(seat.name for seat in seats if seat.name))
    packs = game.packs(round.variant)[: len(made.cards)]
    proof = Proof(round.key, round.commitment, round.revealed_seed, round_cards.round_cuts(round), packs)
    return replace(made, proof=proof, seats=seats, autos=autos)


def _seat_of(
    round: TableRound,
    place: int,
    names: Mapping[str, str],
    moves: tuple[Action, ...],
    autos: tuple[round_cards.AutoMove | None, ...],
) -> FinishedSeat:
    bet = round.bets[place]
    played = tuple(pair for pair in zip(moves, autos, strict=True) if pair[0].seat == place)
    return FinishedSeat(
        number=bet.number,
        name=names.get(bet.player_id, ""),
        bot=bet.bot,
        bank=bet.number == round.bank,
        stake=bet.stake,
        auto_bet=bet.auto,
        moves=played,
        payout=bet.payout or 0,
        net=round_cards.round_nets(round)[bet.number],
    )


def finished_of(hand: Hand, player_name: str) -> Finished:
    """Replays a public row. EngineError if it does not replay."""
    if hand.cut is None or hand.finished_at is None:
        raise ValueError(f"hand {hand.key} is not public")
    seed = hand_seed(hand, {})
    made = _finished(hand, hand_game(hand), hand_setup(hand, seed), hand_moves(hand), player_name)
    return replace(made, payouts=made.payouts or (0,) * made.game.spec.seats, proof=_proof(hand, made, seed))


def _finished(row: Hand | TableRound, game: AnyGame, setup: Setup, moves: tuple[Action, ...], player: str) -> Finished:
    """What hands and rounds have in common; nobody else at the table, and no proof yet."""
    assert row.finished_at is not None
    written = record(game, setup, moves)
    if row.status == "void":
        written = written.as_void()
    return Finished(
        key=row.key,
        game=game,
        table=row.variant,
        rules=game.rules(row.variant),
        seq=row.seq,
        status=row.status,
        player=player,
        setup=setup,
        moves=moves,
        cards=tuple(written.setup.cards),
        payouts=written.payouts or (),
        labels=_labels(game, setup, moves, row.status),
        commitment=row.commitment,
        proof=None,
        record=written,
        finished_at=to_datetime(row.finished_at),
    )


def _proof(hand: Hand, made: Finished, seed: bytes) -> Proof | None:
    """None while its shoe is in use. A deck that was given up has its seed in its box: the key has come back."""
    deck = seed_owner(hand)
    if hand.cut is None or (isinstance(deck, Shoe) and deck.closed_at is None):
        return None
    packs = made.game.packs(hand.variant)[: len(made.cards)]
    return Proof(deck.key, deck.commitment, seed.hex(), (hand.cut,), packs, hand.offset)


def _labels(game: AnyGame, setup: Setup, moves: tuple[Action, ...], status: str) -> tuple[Label, ...]:
    """Why it ended as it did; a round may be void though it was played to its end."""
    result = game.result(replay(game, setup, moves))
    return result.labels if result and status == "done" else (Label(status.upper()),)
