"""The protocol of a game.

A hand is a value: ``state = replay(game, setup, actions)``. ``legal_actions`` is the only rule of what may happen;
whose turn it is and whether the hand is over follow from it. A viewer gets a ``View``, which is built up from nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from webapp.engine.action import Action, Seat
from webapp.engine.bets import Bets
from webapp.engine.cards import Card, Stock
from webapp.engine.errors import IllegalAction, SetupError
from webapp.engine.label import Label
from webapp.engine.spec import Spec
from webapp.engine.tier import Tier
from webapp.engine.words import GameWords


@dataclass(frozen=True, slots=True)
class Pack:
    """A deck to be shuffled afresh: its composition, and how many of its cards can be needed at most."""

    decks: int = 1
    jokers: int = 0
    needed: int = 52


class GameRules(Protocol):
    """Properties that all ``Rules`` have. ``bets`` is None where nothing is staked.

    ``pays`` is false where a payout says nothing: hands are only won, lost or drawn.
    """

    @property
    def bets(self) -> Bets | None: ...

    @property
    def pays(self) -> bool: ...


@dataclass(frozen=True)
class Setup:
    """All that is decided before the first action.

    stakes: chips, one for each seat or place. cards: one row for each pack, in dealing order; a row may stop where
    nothing more of it is dealt, as in a finished hand's record, and is only looked at when it is needed. banker: the
    seat that banks, where one of the players does.
    """

    variant: str
    stakes: tuple[int, ...]
    cards: Sequence[tuple[Card, ...]]
    banker: Seat | None = None

    def stock(self, pack: int) -> Stock:
        """Return a pack from which nothing is dealt yet. SetupError if there is no pack with this number."""
        if pack >= len(self.cards):
            raise SetupError(f"pack {pack} is wanted, there are {len(self.cards)}")
        return Stock(self.cards[pack])


@dataclass(frozen=True, slots=True)
class Result:
    """Chips (or score) paid to each seat or place, stake included, and why.

    The code of the first label stands for the hand in lists and statistics.
    """

    payouts: tuple[int, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Open cards that lie together when a hand is over.

    label: what they come to; None where the result says it. net: chips that they won or lost; None where they did not
    play for any. seat: whose they are, where several people play. making: positions, from 1, of the cards that pay;
    none where that is not shown. stand_ins: for each card the letters of the one that it stands for, None if it is not
    wild; empty where no card is.
    """

    cards: tuple[Card, ...]
    label: Label | None = None
    net: int | None = None
    seat: Seat | None = None
    making: tuple[int, ...] = ()
    stand_ins: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Recap:
    """All cards of a finished hand, and what there is to say beside the first label of its result.

    It is shown to people who did not play the hand, so nothing in it says "you".
    """

    groups: tuple[CardGroup, ...]
    remarks: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Marks:
    """Cards that a player may mark before an action takes them all at once.

    Positions count from 1. ``verb`` is the action whose arguments the marked positions become. ``paying``: positions of
    the cards that pay as they lie there.
    """

    verb: str
    positions: int
    paying: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """A state as one viewer may see it. ``viewer`` is None for a watcher; a card that lies face down is None.

    ``tier``: how great a win the last action has brought.
    """

    viewer: Seat | None
    to_act: Seat | None
    actions: tuple[Action, ...]
    result: Result | None
    said: tuple[Label, ...]
    tier: Tier = Tier.EVEN

    @property
    def open_cards(self) -> tuple[Card, ...]:
        """All cards that lie open, for a count of the shoe; not needed where every deck is fresh."""
        return ()

    @property
    def is_of_hand(self) -> bool:
        """The cards that the hand is named after lie there; false where others have taken their place."""
        return True


S = TypeVar("S")
V_co = TypeVar("V_co", bound=View, covariant=True)


class Game(Protocol[S, V_co]):
    """A game of cards. All methods are pure; seats are numbered from 0."""

    spec: Spec
    words: GameWords

    def rules(self, variant: str) -> GameRules:
        """Return the frozen ``Rules`` value of a table. SetupError for a table that does not exist."""

    def choices(self) -> Mapping[str, tuple[object, ...]]:
        """Return what *own rules* may choose from, by field; empty if only the named tables can be played."""

    def variant_from_choices(self, words: Mapping[str, str]) -> str:
        """Return the table with these rules, each choice as its word. SetupError for what cannot be chosen."""

    def packs(self, variant: str) -> tuple[Pack, ...]:
        """Return the packs that are shuffled, pack 0 first."""

    def cut_card(self, variant: str) -> int | None:
        """Return how many cards of pack 0 are dealt, hand after hand, until it is shuffled; None: always fresh."""

    def start(self, setup: Setup) -> S:
        """Return the state after the deal. SetupError for stakes or cards that cannot be."""

    def legal_actions(self, state: S) -> tuple[Action, ...]:
        """Return all that may happen next; ``()`` means that the hand is over."""

    def apply(self, state: S, action: Action) -> S:
        """Return the state after an action. IllegalAction if it is not among the legal ones."""

    def cost(self, state: S, action: Action) -> int:
        """Return the chips that a legal action adds to what is committed."""

    def marks(self, state: S) -> Marks | None:
        """Return the cards that may be marked now; None if there are none."""

    def dealt(self, state: S) -> tuple[int, ...]:
        """Return how many cards of each pack have left it, face up or down."""

    def committed(self, state: S) -> tuple[int, ...]:
        """Return the chips put in so far, per seat or place; never less than before."""

    def result(self, state: S) -> Result | None:
        """Return the result; None while there are legal actions."""

    def view(self, state: S, viewer: Seat | None) -> V_co:
        """Return what this viewer sees of a state."""

    def summary_cards(self, state: S) -> tuple[Card, ...]:
        """Return the few open cards by which the hand is shown in a list."""

    def recap(self, state: S) -> Recap:
        """Return what is shown of a finished hand to people who did not play it."""

    def frequencies(self, variant: str) -> Mapping[str, float]:
        """Return the share of each outcome in dealt cards, before any decision, by code; empty if not known.

        SetupError for a table that does not exist.
        """

    def default_action(self, state: S, seat: Seat) -> Action:
        """Return what is played for a seat whose player is absent."""


AnyGame = Game[Any, View]


def require_legal(game: Game[S, V_co], state: S, action: Action) -> None:
    """Raise IllegalAction, with the action in its message, unless it is legal now."""
    if action not in game.legal_actions(state):
        raise IllegalAction(f"{action} is not legal now")


def affordable(game: Game[S, V_co], state: S, chips: int) -> tuple[Action, ...]:
    """Return the legal actions that a purse can pay for."""
    return tuple(action for action in game.legal_actions(state) if game.cost(state, action) <= chips)


def states(game: Game[S, V_co], setup: Setup, actions: Iterable[Action]) -> Iterator[S]:
    """Yield the state after the deal and after each action."""
    state = game.start(setup)
    yield state
    for action in actions:
        state = game.apply(state, action)
        yield state


def replay(game: Game[S, V_co], setup: Setup, actions: Iterable[Action]) -> S:
    """Return the state a setup and its actions lead to. SetupError, IllegalAction."""
    for state in states(game, setup, actions):
        last = state
    return last
