"""The review of a finished hand as rows and a chart of its page."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import Any, Final

from webapp.engine.action import Action
from webapp.engine.cards import Card, parse_cards
from webapp.engine.odds.value import MARKS, Grade
from webapp.services.records.finished import Finished, ReplayStep
from webapp.web.i18n.odds_words import outcome_name
from webapp.web.i18n.translations import percent_sign

SHOWN: Final = 5
"""Options that are shown of many, and the chosen one."""
MOST_OUTCOMES: Final = 4
MOST_BARS: Final = 9
"""Bars for single cards and decisions; with more of them all cards are one bar, and all decisions are one."""
WIDTH: Final = 320
HEIGHT: Final = 112
_EDGE: Final = 14
"""Room for the names below the bars."""
_LEAST: Final = 0.005
"""Smaller values are shown as nothing, and have no bar."""
_CERTAIN: Final = 0.9995
"""A chance from which on hundredths are whole."""


@dataclass(frozen=True, slots=True)
class Row:
    """An option. ``outcomes`` are the most likely ones."""

    action: Action
    value: float
    cost: float
    outcomes: tuple[tuple[str, float], ...]
    is_best: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of the hand. ``cards`` can be asked like the desk's: what lay there when it was taken.

    ``grade`` and ``mark`` are None for a fair bet, ``rows`` are empty while nothing is known. ``may_ask``: whoever
    looks at it may be asked it again.
    """

    step: int
    seat: int
    action: Action
    hand: tuple[Card, ...] = ()
    best: Action | None = None
    cost: float = 0.0
    grade: Grade | None = None
    mark: str = ""
    exact: bool = True
    may_ask: bool = False
    rows: tuple[Row, ...] = ()
    options: int = 0
    lines: int = 1
    variance: float | None = None
    """Of what all lines together bring, where several hands were drawn from the decision."""

    @property
    def deviation(self) -> float:
        """Standard deviation of what all lines together bring."""
        return sqrt(self.variance or 0)

    @property
    def deviation_of_one(self) -> float:
        """The same of one of them: they are independent."""
        return sqrt((self.variance or 0) / self.lines)

    def cards(self, _place: str) -> tuple[Card, ...]:
        """Return the cards of the hand, as a desk does."""
        return self.hand


@dataclass(frozen=True, slots=True)
class WaterfallBar:
    """A bar of the waterfall. ``kind``: start, luck, cost or payout; ``step``: 0 for the deal, None for a sum."""

    kind: str
    step: int | None
    amount: float
    x: float
    y: float
    width: float
    height: float
    level: float
    """Where the sum stands after it."""


@dataclass(frozen=True, slots=True)
class Book:
    """The ledger of a seat, with its chart. ``zero`` is the height of nothing."""

    seat: int
    start: float
    luck: float
    cost: float
    payout: float
    decisions: int
    bars: tuple[WaterfallBar, ...]
    zero: float


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """All that the page shows. Without ``books`` nothing is known yet; the decisions are there all the same."""

    decisions: tuple[Decided, ...]
    books: tuple[Book, ...]
    exact: bool
    here: Decided | None
    """The decision that is taken at the step that is shown."""

    @property
    def may_ask(self) -> bool:
        """Return True if whoever looks at it may be asked one of the decisions again."""
        return any(decision.may_ask for decision in self.decisions)


def of(
    finished: Finished, document: Mapping[str, Any] | None, step: ReplayStep, asked: Set[int] = frozenset()
) -> ReviewPage:
    """Return the review of a hand; ``document`` is None while there is none.

    Args:
        asked: Steps that whoever looks at it may be asked again.
    """
    if document is None:
        return ReviewPage(tuple(_undecided(finished)), (), True, None)
    decisions = tuple(_decided(decision, asked) for decision in document["decisions"])
    here = next((decision for decision in decisions if decision.step == step.index), None)
    return ReviewPage(decisions, tuple(_book(seat, decisions) for seat in document["seats"]), document["exact"], here)


def outcome_chances(rows: tuple[Row, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the outcomes of each option with their chances. Each name is looked up once, and stands in many rows."""
    names = {code: outcome_name(code) for code in {code for row in rows for code, _ in row.outcomes}}
    sign = percent_sign()
    return tuple(
        tuple(
            f"{names[code]} {100 * chance:.3g}{sign}"
            if chance < _CERTAIN
            else f"{names[code]} {100 * chance:.0f}{sign}"
            for code, chance in row.outcomes
        )
        for row in rows
    )


def _undecided(finished: Finished) -> Iterator[Decided]:
    """Yield the decisions as they will stand there, so that nothing moves when their worth is known."""
    for index, (state, action) in enumerate(zip(finished.replay.states, finished.moves, strict=False)):
        if len(finished.game.legal_actions(state)) > 1:
            yield Decided(index, action.seat, action)


def _decided(decision: Mapping[str, Any], asked: Set[int]) -> Decided:
    grade = Grade(decision["grade"]) if decision["grade"] else None
    return Decided(
        step=decision["step"],
        seat=decision["seat"],
        action=Action.parse(decision["action"]),
        hand=parse_cards(decision["cards"]),
        best=Action.parse(decision["best"]),
        cost=decision["cost"],
        grade=grade,
        mark=MARKS[grade] if grade else "=",
        exact=decision["exact"],
        may_ask=grade is not None and decision["step"] in asked,
        rows=tuple(_rows(decision)),
        options=len(decision["options"]),
        lines=decision.get("lines", 1),
        variance=decision.get("variance"),
    )


def _rows(decision: Mapping[str, Any]) -> Iterator[Row]:
    for place, option in enumerate(decision["options"]):
        chosen = option["action"] == decision["action"]
        if place < SHOWN or chosen:
            outcomes = sorted(option.get("outcomes", {}).items(), key=lambda item: -item[1])
            cost: float = 0.0 if chosen and not decision["cost"] else decision["best_value"] - option["value"]
            is_best = cost <= 0 or option["action"] == decision["best"]
            yield Row(
                Action.parse(option["action"]),
                option["value"],
                max(cost, 0.0),
                tuple(outcomes[:MOST_OUTCOMES]),
                is_best,
                chosen,
            )


def _book(seat: Mapping[str, Any], decisions: tuple[Decided, ...]) -> Book:
    changes = list(_changes(seat))
    if len(changes) > MOST_BARS:
        changes = [("luck", None, seat["luck"]), ("cost", None, -seat["cost"])]
    levels = [*accumulate((amount for _, _, amount in changes), initial=seat["start"])]
    low, high = min(0.0, *levels), max(0.0, *levels)
    breadth, room = (high - low) or 1.0, HEIGHT - _EDGE - 2
    each = WIDTH / (len(changes) + 2)

    def y(value: float) -> float:
        return float(1 + room * (high - value) / breadth)

    def bar(place: int, kind: str, step: int | None, amount: float, begin: float, end: float) -> WaterfallBar:
        top, bottom = y(max(begin, end)), y(min(begin, end))
        return WaterfallBar(
            kind, step, amount, place * each + each * 0.12, top, each * 0.76, max(bottom - top, 1.0), y(end)
        )

    bars = (
        bar(0, "start", None, seat["start"], 0.0, seat["start"]),
        *(
            bar(place + 1, kind, step, amount, levels[place], levels[place + 1])
            for place, (kind, step, amount) in enumerate(changes)
        ),
        bar(len(changes) + 1, "payout", None, seat["payout"], 0.0, seat["payout"]),
    )
    own = sum(decision.seat == seat["seat"] for decision in decisions)
    return Book(seat["seat"], seat["start"], seat["luck"], seat["cost"], seat["payout"], own, bars, y(0.0))


def _changes(seat: Mapping[str, Any]) -> Iterator[tuple[str, int | None, float]]:
    for step, event in enumerate(seat["steps"]):
        if event["cost"] >= _LEAST:
            yield "cost", step, -event["cost"]
        if abs(event["luck"]) >= _LEAST:
            yield "luck", step, event["luck"]
