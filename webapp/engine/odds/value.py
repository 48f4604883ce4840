"""The protocol of the odds of a game, the types of its values, and the grade of a decision by what it cost.

A value is in chips (in points, where nothing is staked) and net: what the player is paid on average under best play
from here on, less all that they have staked and will stake in this hand. The value of a finished hand is what it
brought. A value that is exact is a ``Fraction`` or a whole number; any other is a ``float``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Literal, Protocol, TypeVar, runtime_checkable

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import EngineError, IllegalAction
from webapp.engine.game import Setup
from webapp.engine.label import Label
from webapp.engine.odds.question import Question, Scale, Spot
from webapp.engine.words import NP_, Text

Number = Fraction | float
Array = Any
Arrays = Mapping[str, Array]


class NoOdds(EngineError):
    """Values are not available: the game has no odds, or they need a package that is not installed."""

    code = "no-odds"


@dataclass(frozen=True, slots=True)
class Method:
    """The way values were computed. ``error``: the most by which they are off, as a share of the value, if it is known.

    ``name`` is stored with what was computed: a method that changes gets a new name.
    """

    name: str
    exact: bool
    error: float | None = None


@dataclass(frozen=True, slots=True)
class ActionValue:
    """The value of an action under best play afterwards, and the chance of each outcome, by code, if it is known."""

    action: Action
    value: Number
    outcomes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decision:
    """All legal actions of a decision with their values, the best one first.

    ``fair``: the choice is a bet at even odds, so that no action is better than another.
    """

    options: tuple[ActionValue, ...]
    method: Method
    fair: bool = False

    @property
    def best(self) -> ActionValue:
        """The option with the highest value, the first of them in the order of the legal actions."""
        return self.options[0]

    def option(self, action: Action) -> ActionValue:
        """Return the option of an action. IllegalAction if it is not among them."""
        for option in self.options:
            if option.action is action:  # usually the same object, and comparing takes long
                return option
        for option in self.options:
            if option.action == action:
                return option
        raise IllegalAction(f"{action} is not legal here")

    def cost(self, action: Action) -> Number:
        """Return what an action costs compared with the best one; never negative."""
        return self.best.value - self.option(action).value


@dataclass(frozen=True, slots=True)
class GameValue:
    """Optimal play of a whole table. As a ``value``, what a hand pays for each chip staked, or its average score.

    As an ``edge``, what the player wins on average for each chip bet, negative where the house wins. ``variance``: of
    what one hand pays for each chip, or of its score; None where it is not known.
    """

    figure: Literal["value", "edge"]
    value: Number
    method: Method
    variance: Number | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the value of an action: in how many of all ways an outcome comes, and what these add in chips."""

    code: str
    count: int
    value: Number


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is worth what it is.

    ``label`` says what it relies on. ``ways``: how many there are, all alike, in which the next cards can come; 0 where
    they are not counted. ``drawn``: how many cards come. ``parts``: all that is paid, the largest part first. ``made``:
    code of the outcome that is certain already, or better; "" if nothing is.
    """

    label: Label
    ways: int = 0
    drawn: int = 0
    parts: tuple[Part, ...] = ()
    made: str = ""


class TableStore(Protocol):
    """A place where tables are kept once they are computed: in memory, or as files that processes share."""

    def tables(self, name: str, build: Callable[[], Arrays]) -> Arrays:
        """Return the arrays that are kept under this name, built when there are none yet.

        The name says all that the arrays depend on, and consists of ASCII letters, digits, hyphens and full stops.
        They may be memory-mapped, and must not be written to.
        """


class MemoryStore:
    """Keeps tables in this process."""

    def __init__(self) -> None:
        self._tables: dict[str, Arrays] = {}

    def tables(self, name: str, build: Callable[[], Arrays]) -> Arrays:
        if name not in self._tables:
            self._tables[name] = build()
        return self._tables[name]


S = TypeVar("S")


class Odds(Protocol[S]):
    """The odds of one game. All methods are pure, apart from what they keep in the store, and may raise NoOdds."""

    def start(self, setup: Setup, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        """Return the value of a seat before the deal. ``setup.cards`` is not used.

        ``seen``: cards of earlier hands from the same shoe that the player has seen, here and below; () goes by the
        book.
        """

    def value(self, state: S, seat: Seat, store: TableStore, seen: tuple[Card, ...] = ()) -> Number:
        """Return what a state is worth to a seat that plays best, as far as that seat can see.

        Where the seat is to act this is the value of the best option of ``decision``; after the end, what the hand
        brought.
        """

    def decision(self, state: S, store: TableStore, seen: tuple[Card, ...] = ()) -> Decision:
        """Return the values of all legal actions of the seat that is to act; there must be one."""

    def game(self, variant: str, store: TableStore) -> GameValue:
        """Return the value of optimal play at a table."""

    def prepare(self, variant: str, store: TableStore) -> None:
        """Open the tables that decisions at a table need, so that they are there when somebody asks."""

    def rule_prices(self, variant: str, store: TableStore) -> Mapping[str, Number]:
        """Return what each rule of a table that is not the usual one gives the player, for each chip bet.

        It is negative where it costs. Empty where rules cannot be chosen.
        """

    def spot(self, question: Question) -> Spot[S]:
        """Return the decision that a question is about.

        Raises:
            NotationError: a text that is no card.
            SetupError: there is no such table, or no such decision at it; mostly as ImpossibleSpot.
        """

    def question(self, state: S) -> Question | None:
        """Return the question that a state answers; None for one that only the hand itself can ask."""

    def reason(
        self, state: S, action: Action, decision: Decision, store: TableStore, seen: tuple[Card, ...] = ()
    ) -> Reason | None:
        """Return why an action of a decision is worth what it is, by exact counts; None where nothing is to be said."""

    def scale(self, state: S) -> Scale:
        """Return how the values of a decision are said."""


AnyOdds = Odds[Any]


@dataclass(frozen=True, slots=True)
class CommonHold:
    """A hold that is often best. ``value``: what is paid for each chip, on average where it is best.

    ``label``: what players call it; its code may be that of a line. ``wilds``: how many wild cards are in the hand.
    ``share``: of all hands. ``hand`` and ``positions``, from 1: an example.
    """

    label: Label
    wilds: int
    value: float
    share: float
    hand: tuple[Card, ...]
    positions: tuple[int, ...]


@runtime_checkable
class OrderingHolds(Protocol):
    """Odds of a game in which cards are held."""

    def common_holds(self, variant: str, store: TableStore) -> tuple[CommonHold, ...]:
        """Return the common holds, with most wild cards first, and then what is worth most. NoOdds."""


@runtime_checkable
class KnowingVariance(Protocol):
    """Odds of a game in which several hands may be drawn from one decision."""

    def variance(self, state: Any, action: Action, store: TableStore) -> Fraction | None:
        """Return the variance of what an action brings, exactly; None where more is decided after it."""


class Grade(StrEnum):
    """Quality of a decision, the best first."""

    BEST = "best"
    FINE = "fine"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


NAMES: Final[Mapping[Grade, Text]] = {
    Grade.BEST: NP_("decision", "Best"),
    Grade.FINE: NP_("decision", "Fine"),
    Grade.SLIP: NP_("decision", "Slip"),
    Grade.MISTAKE: NP_("decision", "Mistake"),
    Grade.BLUNDER: NP_("decision", "Blunder"),
}
"""The five words, for players."""

MARKS: Final[Mapping[Grade, str]] = {
    Grade.BEST: "✓",
    Grade.FINE: "≈",
    Grade.SLIP: "?!",
    Grade.MISTAKE: "?",
    Grade.BLUNDER: "??",
}
"""A mark for each, as annotated games of chess have them."""

_BELOW: Final = ((Fraction(5, 1000), Grade.FINE), (Fraction(5, 100), Grade.SLIP), (Fraction(20, 100), Grade.MISTAKE))
"""The share of the measure that a decision of a grade stays under."""

_NOTHING: Final = Fraction(1, 10**9)
"""A share of the measure that floating-point numbers may be off by: it is no cost."""


def grade(cost: Number, measure: Number) -> Grade:
    """Return the grade of a decision with this cost.

    ``measure`` is the stake of the decision; where nothing is staked, the value of the best action.
    """
    if cost <= _NOTHING * abs(Fraction(measure)):
        return Grade.BEST
    return next((name for share, name in _BELOW if cost < share * measure), Grade.BLUNDER)


def grade_of(decision: Decision, action: Action, scale: Scale) -> Grade | None:
    """Return the grade of an action; None if all actions have the same value, or there is only one."""
    if decision.fair or len(decision.options) == 1:
        return None
    return grade(decision.cost(action), scale.stake or decision.best.value)
