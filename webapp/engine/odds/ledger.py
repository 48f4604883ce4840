"""The ledger of a finished hand: start + luck - cost = payout, exactly, in every game.

``start`` is what the seat was worth before the deal. Cards bring luck: what the hand is worth after them less what it
was worth before. A decision costs what the chosen action is worth less than the best one. All values are taken as
fractions, so that the sum holds to the last digit. Those that were floating-point numbers are taken to the billionth
part of what is staked: the order in which a processor adds them up is no part of a ledger.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.game import AnyGame, Setup, states
from webapp.engine.odds.grade import Grade, grade_of
from webapp.engine.odds.value import AnyOdds, Decision, Number, TableStore

PARTS: Final = 10**9
"""Of the stakes, or of a point where nothing is staked: approximate values are whole numbers of them."""
_NOTHING: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """The deal or an action, and what it did to the seat's value.

    ``action`` is None for the deal. ``decision`` is that of the seat itself, None for what others did; ``worth`` is the
    value of its best action. ``grade`` is None where no action was better than another.
    """

    action: Action | None
    decision: Decision | None
    cost: Fraction
    luck: Fraction
    worth: Fraction
    grade: Grade | None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All steps of a hand. ``payout`` is net of all that was staked. ``part``: see ``in_parts``."""

    start: Fraction
    steps: tuple[LedgerStep, ...]
    payout: Fraction
    part: Fraction

    @property
    def luck(self) -> Fraction:
        """Chips that the cards brought."""
        return sum((step.luck for step in self.steps), _NOTHING)

    @property
    def cost(self) -> Fraction:
        """Cost of the decisions, compared with the best ones."""
        return sum((step.cost for step in self.steps), _NOTHING)

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
    played = tuple(states(game, setup, actions))
    if game.result(played[-1]) is None:
        raise SetupError("a hand that is not over has no ledger")
    part = Fraction(max(1, sum(setup.stakes)), PARTS)
    start = in_parts(odds.start(setup, seat, store, seen), part)
    steps, before = [], LedgerStep(None, None, _NOTHING, _NOTHING, start, None)
    for state, upcoming in zip(played, (*actions, None), strict=True):
        decision = odds.decision(state, store, seen) if upcoming and upcoming.seat == seat else None
        worth = in_parts(decision.best.value if decision else odds.value(state, seat, store, seen), part)
        luck = worth - (before.worth - before.cost)
        steps.append(LedgerStep(before.action, before.decision, before.cost, luck, before.worth, before.grade))
        cost, grade = _NOTHING, None
        if decision and upcoming:
            grade = grade_of(decision, upcoming, odds.scale(state))
            if grade not in (None, Grade.BEST):
                cost = worth - in_parts(decision.option(upcoming).value, part)
        before = LedgerStep(upcoming, decision, cost, _NOTHING, worth, grade)
    return Ledger(start, tuple(steps), worth, part)


def in_parts(value: Number, part: Fraction) -> Fraction:
    """Return a value as a fraction: an exact one as it is, any other as the nearest whole number of these parts."""
    return Fraction(value) if isinstance(value, int | Fraction) else round(Fraction(value) / part) * part
