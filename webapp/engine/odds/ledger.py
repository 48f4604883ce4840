"""The ledger of a finished hand: start + luck - cost = payout, exactly, in every game.

``start`` is what the seat was worth before the deal. Cards bring luck: what the hand is worth after them less what it
was worth before. A decision costs what the chosen action is worth less than the best one. All values are taken as
fractions, the approximate ones too, so that the sum holds to the last digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.game import AnyGame, Setup, states
from webapp.engine.odds.value import AnyOdds, Decision, TableStore


@dataclass(frozen=True, slots=True)
class Step:
    """The deal or an action, and what it did to the seat's value.

    ``action`` is None for the deal. ``decision`` is that of the seat itself, None for what others did.
    """

    action: Action | None
    decision: Decision | None
    cost: Fraction
    luck: Fraction


@dataclass(frozen=True, slots=True)
class Ledger:
    """All steps of a hand. ``payout`` is net of all that was staked."""

    start: Fraction
    steps: tuple[Step, ...]
    payout: Fraction

    @property
    def luck(self) -> Fraction:
        """What the cards brought."""
        return sum((step.luck for step in self.steps), Fraction(0))

    @property
    def cost(self) -> Fraction:
        """What the decisions cost, compared with the best ones."""
        return sum((step.cost for step in self.steps), Fraction(0))

    @property
    def exact(self) -> bool:
        """No value of a decision is approximate."""
        return all(step.decision.method.exact for step in self.steps if step.decision)


def ledger(
    game: AnyGame,
    odds: AnyOdds,
    setup: Setup,
    actions: Sequence[Action],
    seat: Seat,
    store: TableStore,
    seen: tuple[Card, ...] = (),
) -> Ledger:
    """Return the ledger of a seat.

    Raises:
        SetupError: the hand is not over.
        NoOdds: a part of it cannot be priced.
    """
    before, *rest = states(game, setup, actions)
    start = Fraction(odds.start(setup, seat, store, seen))
    worth = Fraction(odds.value(before, seat, store, seen))
    steps = [Step(None, None, Fraction(0), worth - start)]
    for action, after in zip(actions, rest, strict=True):
        decision, chosen = None, worth
        if action.seat == seat:
            decision = odds.decision(before, store, seen)
            chosen = Fraction(decision.option(action).value)
        value = Fraction(odds.value(after, seat, store, seen))
        steps.append(Step(action, decision, worth - chosen, value - chosen))
        before, worth = after, value
    if game.result(before) is None:
        raise SetupError("a hand that is not over has no ledger")
    return Ledger(start, tuple(steps), worth)
