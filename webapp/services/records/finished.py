"""Finished hands and rounds as values: the same for everybody who has the link, for ever."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from webapp.engine.action import Action
from webapp.engine.bank_draw import BankDraw
from webapp.engine.cards import Card
from webapp.engine.game import AnyGame, Pack, Recap, Setup, View
from webapp.engine.games import COMPANY
from webapp.engine.label import Label
from webapp.engine.notation import Record, dumps
from webapp.engine.shuffling import SCHEME, commitment
from webapp.services.records.replays import Replay
from webapp.services.records.stored_round import AutoMove


@dataclass(frozen=True, slots=True)
class Proof:
    """All that is needed to deal the cards again. ``offset``: cards of the shoe that were dealt before this hand."""

    id: str
    commitment: str
    seed: str
    cuts: tuple[str, ...]
    packs: tuple[Pack, ...]
    offset: int = 0
    scheme: str = SCHEME


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """The view of a watcher after one action; ``action`` is None for the deal."""

    index: int
    action: Action | None
    view: View


def naming_step(steps: Sequence[ReplayStep]) -> int:
    """Return the index of the last step at which the cards lie that the hand is named after."""
    return max((step.index for step in steps if step.view.is_of_hand), default=len(steps) - 1)


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """One seat of a finished round.

    ``number`` is that of the seat at its table, ``net`` the change in chips. ``moves`` are the moves made there, with
    how and why if the player did not make them.
    """

    number: int
    name: str
    bot: bool
    banker: bool
    stake: int
    auto_bet: bool
    moves: tuple[tuple[Action, AutoMove | None], ...]
    payout: int
    net: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished hand or round, whose seed is revealed.

    ``payouts`` are 0 for a hand that was not played out. A round that was not, or is void, has none: each seat has its
    stake back.
    """

    key: str
    table: str
    seq: int | None
    """None for a practice hand, which has no number."""
    status: str
    player: str
    replay: Replay
    record: Record
    payouts: tuple[int, ...]
    commitment: str
    proof: Proof | None
    """None while the shoe of the hand is still in use."""
    finished_at: datetime
    helped: bool = False
    """The player was shown what a decision is worth before it was made."""
    seats: tuple[FinishedSeat, ...] = ()
    """The seats of a round, in the order of the stakes; none of a hand."""
    autos: tuple[AutoMove | None, ...] = ()
    """For each move of a round how and why it was made, None if the player made it."""
    draw: BankDraw | None = None
    """The draw for the bank, before the first round of a table."""
    practice: bool = False
    """Played again, without chips."""
    knows_cards: bool = False
    """Of a practice hand: the player had seen its cards before."""
    of: str | None = None
    """Key of the hand that a practice hand was dealt after."""
    daily: str | None = None
    """Day of the daily deal that the hand is a round of."""
    number: int | None = None
    """Number of that round, from 1."""
    unpaid: int = 0
    """How many of the chips that a hand pays had no room in the purse."""

    @property
    def game(self) -> AnyGame:
        return self.replay.game

    @property
    def rules(self) -> Any:
        return self.game.rules(self.table)

    @property
    def setup(self) -> Setup:
        return self.replay.setup

    @property
    def moves(self) -> tuple[Action, ...]:
        return self.replay.moves

    @property
    def cards(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that were dealt, pack by pack."""
        return tuple(self.record.setup.cards)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels of the result, or of why there is none. A round may be void though it was played to its end."""
        result = self.replay.result
        return result.labels if result and self.status == "done" else (Label(self.status.upper()),)

    @property
    def score(self) -> int:
        """The one number of a hand: what was paid. Of a round it is what the banker has won or lost."""
        return (
            sum(self.payouts) - self.unpaid
            if not self.seats
            else abs(next(seat.net for seat in self.seats if seat.banker))
        )

    @property
    def staked(self) -> int:
        """All chips that were put in, with what was added by actions."""
        return sum(self.game.committed(self.last))

    @property
    def net(self) -> int | None:
        """The change in chips of whoever played the hand alone; None where nothing is staked, and of a round."""
        if self.seats or self.rules.bets is None:
            return None
        return 0 if self.status == "void" else self.score - self.staked

    @property
    def returned(self) -> int:
        """The chips that went back to the player of a hand that is void; of a round, to each seat its payout."""
        return 0 if self.net is None or self.status != "void" else self.staked

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers at their table of the seats of a round, by place."""
        return tuple(seat.number for seat in self.seats)

    @property
    def recap(self) -> Recap:
        """The hand for people who did not play it."""
        return self.game.recap(self.last)

    @property
    def notation(self) -> str:
        """The hand in one line."""
        return dumps(self.record)

    @property
    def steps(self) -> tuple[ReplayStep, ...]:
        """The hand as a watcher sees it, after the deal and each action. At the end of a round all cards lie open."""
        states = self.replay.states
        if self.seats:
            states = (*states[:-1], COMPANY.face_up(self.last))
        played = zip((None, *self.moves), states, strict=True)
        return tuple(
            ReplayStep(index, action, self.game.view(state, None)) for index, (action, state) in enumerate(played)
        )

    @property
    def last(self) -> Any:
        """The state in which the hand ended."""
        return self.replay.last

    @property
    def honest(self) -> bool:
        """True if the seed opens the commitment. The cards are dealt from the seed, here as everywhere."""
        proof = self.proof
        return proof is not None and commitment(bytes.fromhex(proof.seed), proof.id) == proof.commitment
