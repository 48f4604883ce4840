"""The review of a finished hand: what every decision was worth, and the ledger of each seat.

It is a plain value, the same whenever and wherever it is computed. It is stored together with ``VERSION``.

The ledger is start + luck - cost = payout, exactly, in every game. ``start`` is what the seat was worth before the
deal. Cards bring luck: what the hand is worth after them less what it was worth before. A decision costs what the
chosen action is worth less than the best one. All values are taken as fractions, so that the sum holds to the last
digit. Those that were floating-point numbers are taken to the billionth part of what is staked: the order in which a
processor adds them up is no part of a ledger.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from webapp.engine.action import ALONE, Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import SetupError
from webapp.engine.game import AnyGame, Setup, states
from webapp.engine.odds.question import Question
from webapp.engine.odds.value import (
    ActionValue,
    AnyOdds,
    Decision,
    Grade,
    KnowingVariance,
    Number,
    TableStore,
    grade_of,
)

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


VERSION: Final = "1"
"""Changes whenever a review of a hand would, with any method of any game: what was stored is worked out again."""
DETAILED: Final = 5
"""Options, from the best on, whose chances are told; those of the chosen one always are."""

Document = dict[str, Any]


def review(game: AnyGame, odds: AnyOdds, setup: Setup, actions: Sequence[Action], store: TableStore) -> Document:
    """Return the review of a finished hand as a plain value that can be written as JSON.

    ``decisions``: of all seats in their order, with ``step``, ``seat``, ``cards`` that lay there and the ``dealer``'s
    where a question can name them, ``action``, ``value``, ``best``, ``best_value``, ``cost``, ``grade``, ``fair``,
    ``exact``, ``options``; where several hands were drawn from it their number, ``lines``, and the ``variance`` of what
    they bring together. ``start``, ``luck``, ``cost`` and ``payout`` of all seats together, ``exact``, ``method``.
    ``seats``: for each seat its ``seat``, its part of them, and for the deal and each action how much ``luck`` it
    brought and what it ``cost``. Values are chips, or points.

    Raises:
        SetupError: the hand is not over.
        NoOdds: a part of it cannot be priced.
    """
    seats = tuple(Seat(place) for place in range(len(setup.stakes))) if game.spec.seats > 1 else (ALONE,)
    ledgers = {seat: ledger(game, odds, setup, actions, seat, store) for seat in seats}
    books = tuple(ledgers.values())
    before = tuple(states(game, setup, actions))
    played = tuple(
        (index, action, step)
        for index, action in enumerate(actions, 1)
        if (step := ledgers[action.seat].steps[index]).decision and len(step.decision.options) > 1
    )
    methods = {step.decision.method.name for book in books for step in book.steps if step.decision}
    return {
        "decisions": [
            {
                **_decision(index - 1, step, ledgers[action.seat].part, odds.question(before[index - 1])),
                **_variance(game, odds, before[index - 1], action, store),
            }
            for index, action, step in played
        ],
        **_sums(books),
        "exact": all(book.exact for book in books),
        "method": "+".join((f"review-{VERSION}", *sorted(methods))),
        "seats": [
            {"seat": seat, **_sums((book,)), "steps": [_event(step) for step in book.steps]}
            for seat, book in ledgers.items()
        ],
    }


def _sums(books: Iterable[Ledger]) -> Mapping[str, float]:
    kept = tuple(books)
    return {
        name: _number(sum((getattr(book, name) for book in kept), Fraction(0)))
        for name in ("start", "luck", "cost", "payout")
    }


def _event(step: LedgerStep) -> Mapping[str, float]:
    return {"luck": _number(step.luck), "cost": _number(step.cost)}


def _decision(index: int, step: LedgerStep, part: Fraction, question: Question | None) -> Document:
    action, decision = step.action, step.decision
    assert action is not None and decision is not None
    return {
        "step": index,
        "seat": action.seat,
        "cards": question.cards if question else "",
        "dealer": question.dealer if question else "",
        "action": str(action),
        "value": _number(step.worth - step.cost),
        "best": str(action if not step.cost else decision.best.action),
        "best_value": _number(step.worth),
        "cost": _number(step.cost),
        "grade": step.grade,
        "fair": decision.fair,
        "exact": decision.method.exact,
        "options": list(_options(decision.options, action, part)),
    }


def _variance(game: AnyGame, odds: AnyOdds, state: Any, action: Action, store: TableStore) -> Document:
    """Return how far apart the results of several hands lie that are drawn from one decision."""
    lines = len(state.setup.stakes)
    bets = game.rules(state.setup.variant).bets
    if lines == 1 or bets is None or lines not in bets.lines or not isinstance(odds, KnowingVariance):
        return {}
    variance = odds.variance(state, action, store)
    return {} if variance is None else {"lines": lines, "variance": _number(variance)}


def _options(options: Sequence[ActionValue], chosen: Action, part: Fraction) -> Iterator[Document]:
    for place, option in enumerate(options):
        document: Document = {"action": str(option.action), "value": _number(in_parts(option.value, part))}
        if (place < DETAILED or option.action == chosen) and option.outcomes:
            document["outcomes"] = {code: round(chance, 9) for code, chance in option.outcomes.items()}
        yield document


def _number(value: Fraction) -> float:
    """Return a whole number as one, any other as the nearest floating-point number."""
    return value.numerator if value.denominator == 1 else float(value)
