"""The one shape all games have.

A hand is a value: ``state = replay(game, setup, actions)``. ``legal_actions`` is the only rule of what may happen;
whose turn it is and whether the hand is over follow from it. A viewer gets a ``View``, which is built up from nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from webapp.engine.action import Action, Seat
from webapp.engine.cards import Card
from webapp.engine.errors import IllegalAction, SetupError
from webapp.engine.label import Label
from webapp.engine.stock import Stock


@dataclass(frozen=True, slots=True)
class Pack:
    """A deck to be shuffled afresh: its composition, and how many of its cards can be needed at most."""

    decks: int = 1
    jokers: int = 0
    needed: int = 52


@dataclass(frozen=True, slots=True)
class Spec:
    """What is fixed about a game: its code (module, URL, folder, notation word), its tables and its seats."""

    code: str
    variants: tuple[str, ...]
    seats: int = 1

    @property
    def default(self) -> str:
        return self.variants[0]


@dataclass(frozen=True, slots=True)
class Bets:
    """Chips of a table: what a run starts with, the least and the most a box may bet (None: all there is), boxes."""

    start: int = 100
    least: int = 1
    most: int | None = None
    boxes: int = 1

    def allow(self, stakes: tuple[int, ...]) -> bool:
        most = max(stakes, default=0) if self.most is None else self.most
        return 1 <= len(stakes) <= self.boxes and all(self.least <= stake <= most for stake in stakes)


class GameRules(Protocol):
    """What the house asks of any game's ``Rules``. ``bets`` is None where nothing is staked.

    ``pays`` is false where a payout says nothing: hands are only won, lost or drawn.
    """

    @property
    def bets(self) -> Bets | None: ...

    @property
    def pays(self) -> bool: ...


@dataclass(frozen=True)
class Setup:
    """All that chance and money decided beforehand.

    ``stakes`` are chips, one per seat or box. ``cards`` holds one row per pack, in dealing order; a row may stop
    where nothing more of it is dealt, as in a finished hand's record. A row is only looked at when it is needed.
    """

    variant: str
    stakes: tuple[int, ...]
    cards: Sequence[tuple[Card, ...]]

    def stock(self, pack: int) -> Stock:
        """A pack from which nothing is dealt yet. SetupError if there is none of this number."""
        if pack >= len(self.cards):
            raise SetupError(f"pack {pack} is wanted, there are {len(self.cards)}")
        return Stock(self.cards[pack])


@dataclass(frozen=True, slots=True)
class Result:
    """Chips (or score) paid to each seat, stake included, and why."""

    payouts: tuple[int, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What one viewer may see. ``viewer`` is None for a spectator; a card that lies face down is None."""

    viewer: Seat | None
    to_act: Seat | None
    actions: tuple[Action, ...]
    result: Result | None
    said: tuple[Label, ...]

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """All cards that lie open, for who counts them; where every deck is fresh nobody does."""
        return ()


S = TypeVar("S")
V_co = TypeVar("V_co", bound=View, covariant=True)


class Game(Protocol[S, V_co]):
    """A game of cards. All methods are pure; seats are numbered from 0."""

    spec: Spec

    def rules(self, variant: str) -> GameRules:
        """The frozen ``Rules`` value of a table. SetupError for a table that does not exist."""

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        """What *own rules* may choose from, field by field; empty where there are only the tables that are named."""

    def own_table(self, words: Mapping[str, str]) -> str:
        """The table with these rules, each choice as its word. SetupError for what cannot be chosen."""

    def packs(self, variant: str) -> tuple[Pack, ...]:
        """Which decks are shuffled, pack 0 first."""

    def cut_card(self, variant: str) -> int | None:
        """How many cards of pack 0 are dealt, hand after hand, before it is shuffled; None: packs are always fresh."""

    def start(self, setup: Setup) -> S:
        """The state after the deal. SetupError for stakes or cards that cannot be."""

    def legal_actions(self, state: S) -> tuple[Action, ...]:
        """All that may happen next; ``()`` means the hand is over."""

    def apply(self, state: S, action: Action) -> S:
        """The state after the action. IllegalAction if it is not among the legal ones."""

    def price(self, state: S, action: Action) -> int:
        """Chips that a legal action adds to what is committed."""

    def dealt(self, state: S) -> tuple[int, ...]:
        """How many cards of each pack have left it, face up or down."""

    def committed(self, state: S) -> tuple[int, ...]:
        """Chips put in so far, per seat; never shrinks."""

    def result(self, state: S) -> Result | None:
        """None while there are legal actions."""

    def view(self, state: S, viewer: Seat | None) -> V_co:
        """The state as this viewer may see it."""

    def emblem(self, state: S) -> tuple[Card, ...]:
        """The few open cards that stand for the hand in a list or a picture."""

    def frequencies(self) -> Mapping[str, float]:
        """Share of each outcome, by its label's code, in what is dealt, before anybody decides; empty if not known."""

    def idle(self, state: S, seat: Seat) -> Action:
        """What is played for a seat whose player is absent."""


AnyGame = Game[Any, View]


def require_legal(game: Game[S, V_co], state: S, action: Action) -> None:
    """Raise IllegalAction, with the action in its message, unless it is legal now."""
    if action not in game.legal_actions(state):
        raise IllegalAction(f"{action} is not legal now")


def states(game: Game[S, V_co], setup: Setup, actions: Iterable[Action]) -> Iterator[S]:
    """The state after the deal and after each action."""
    state = game.start(setup)
    yield state
    for action in actions:
        state = game.apply(state, action)
        yield state


def replay(game: Game[S, V_co], setup: Setup, actions: Iterable[Action]) -> S:
    """The state a setup and its actions lead to. SetupError, IllegalAction."""
    for state in states(game, setup, actions):
        last = state
    return last
