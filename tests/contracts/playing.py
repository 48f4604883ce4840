"""Random hands of any game, for the laws that hold for all games."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import attrgetter
from random import Random
from typing import Any

from hypothesis import strategies as st

from webapp.engine.action import Action, Seat
from webapp.engine.cards import JOKER, STANDARD_DECK, Card
from webapp.engine.errors import SetupError
from webapp.engine.game import AnyGame, Pack, Setup, states
from webapp.engine.games import GAMES, blackjack
from webapp.engine.twenty_one.hand import is_natural, value

TABLES = [(game, variant) for game in GAMES.values() for variant in game.spec.variants]
TABLE_NAMES = [f"{game.spec.code}/{variant}" for game, variant in TABLES]

# Own rules. The first ones are always tested, the others only in the long tests.
WILD = "vegas,split_by=rank,resplit_aces=true,hit_split_aces=true,surrender=late,auto_stand_21=false"
OWN_TABLES = [(blackjack.GAME, "single,penetration=0.9,surrender=late"), (blackjack.GAME, "european,lose=original")]
MORE_OWN_TABLES = [
    (blackjack.GAME, WILD),
    (blackjack.GAME, "european,surrender=late"),
    (blackjack.GAME, "classic,hole_card=no_peek,double_on=any,split_by=value"),
]


@dataclass(frozen=True, repr=False)
class Playout:
    """A hand with its states, one more than there are moves; perhaps played to its end."""

    game: AnyGame
    setup: Setup
    moves: tuple[Action, ...]
    states: tuple[Any, ...]

    def __repr__(self) -> str:
        """A short text for the report of a broken law."""
        dealt = ",".join("".join(map(str, row[:10])) for row in self.setup.cards[: 1 + len(self.moves)])
        place = f"{self.game.spec.code}/{self.setup.variant}"
        return f"<{place} {self.setup.stakes} {dealt}... {','.join(map(str, self.moves))}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    @property
    def last(self) -> Any:
        return self.states[-1]

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        return (None, *map(Seat, range(self.game.spec.seats + 1)))

    def views(self, state: Any) -> list[Any]:
        return [self.game.view(state, viewer) for viewer in self.viewers]


@st.composite
def setups(draw: st.DrawFn, game: AnyGame, variant: str) -> Setup:
    """Generate setups. Packs are random, sorted or made from rare hands: random cards seldom lead far into a hand."""
    chance = Random(draw(st.integers(0, 2**32)))
    orders = st.sampled_from(["chance", "chance", "low first", "high first"])
    cards = tuple(_pack(pack, draw(orders), chance) for pack in game.packs(variant))
    return _some_setup(game, variant, chance.choice(_counts_taken(game, variant, cards)), cards, chance)


def _pack(pack: Pack, order: str, chance: Random) -> tuple[Card, ...]:
    """Return more cards than can be needed. Each is an object of its own, so that equal cards can be told apart."""
    cards = [*STANDARD_DECK * pack.decks, *(JOKER,) * pack.jokers]
    wanted = min(pack.needed + 12, len(cards))
    if order == "chance":
        cards = chance.sample(cards, wanted)  # of six decks a round needs few
    else:
        chance.shuffle(cards)
        cards.sort(key=attrgetter("rank"), reverse=order == "high first")
    return tuple(Card(card.rank, card.suit) for card in cards[:wanted])


def _some_setup(game: AnyGame, variant: str, count: int, cards: tuple[tuple[Card, ...], ...], chance: Random) -> Setup:
    """Return a setup with this number of stakes. Where a player banks, the bank is at a random place."""
    stakes = tuple(chance.randint(10, 100) for _ in range(count))
    bets = game.rules(variant).bets
    if bets is not None and count in bets.lines:  # the same stake on each line
        stakes = stakes[:1] * count
    if not (game.spec.banked and count):
        return Setup(variant, stakes, cards)
    banker = Seat(chance.randrange(count))
    return Setup(variant, with_a_bank(stakes, banker), cards, banker)


_COUNTS: dict[tuple[str, str], tuple[int, ...]] = {}


def _counts_taken(game: AnyGame, variant: str, cards: tuple[tuple[Card, ...], ...]) -> tuple[int, ...]:
    """Return the numbers of stakes that the table accepts."""
    table = game.spec.code, variant
    if table not in _COUNTS:
        _COUNTS[table] = tuple(count for count in range(11) if _starts(game, variant, count, cards))
        assert _COUNTS[table], f"{game.spec.code}/{variant} starts with no stakes at all"
    return _COUNTS[table]


def _starts(game: AnyGame, variant: str, count: int, cards: tuple[tuple[Card, ...], ...]) -> bool:
    try:
        game.start(_some_setup(game, variant, count, cards, Random(count)))
    except SetupError:
        return False
    return True


def with_a_bank(bets: tuple[int, ...], bank: int) -> tuple[int, ...]:
    """Return the stakes with the bank's stake, twice the sum of the others, at this place."""
    rest = sum(bets) - bets[bank]
    return (*bets[:bank], 2 * rest, *bets[bank + 1 :])


@st.composite
def playouts(draw: st.DrawFn, game: AnyGame, variant: str) -> Playout:
    setup = draw(setups(game, variant))
    choices = draw(st.lists(st.integers(0, 2**16), max_size=60))
    state = game.start(setup)
    moves, visited = [], [state]
    for choice in choices:
        legal = game.legal_actions(state)
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        state = game.apply(state, moves[-1])
        visited.append(state)
    return Playout(game, setup, tuple(moves), tuple(visited))


@st.composite
def finished(draw: st.DrawFn, game: AnyGame, variant: str) -> Playout:
    """Generate hands played to their end: random moves, then default actions."""
    playout = draw(playouts(game, variant))
    moves, visited = list(playout.moves), list(playout.states)
    while legal := game.legal_actions(visited[-1]):
        moves.append(game.default_action(visited[-1], legal[0].seat))
        visited.append(game.apply(visited[-1], moves[-1]))
    return Playout(game, playout.setup, tuple(moves), tuple(visited))


def walk(value: Any) -> Iterator[Any]:
    """Yield a value and everything that can be reached from it."""
    yield value
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from walk(getattr(value, field.name))
    elif isinstance(value, dict):
        for pair in value.items():
            yield from walk(pair)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from walk(each)


def cards_in(value: Any) -> dict[int, Card]:
    """Return the cards that can be reached from a value, by identity."""
    return {id(each): each for each in walk(value) if isinstance(each, Card)}


def with_hidden_cards_shuffled(playout: Playout, shown: set[int], chance: Random) -> Setup:
    """Return the same setup with all cards not in ``shown`` shuffled within their packs. ``shown`` holds identities."""
    rows = []
    for row in playout.setup.cards:
        hidden = [place for place, card in enumerate(row) if id(card) not in shown]
        moved = list(row)
        for place, other in zip(hidden, chance.sample(hidden, len(hidden)), strict=True):
            moved[place] = row[other]
        rows.append(tuple(moved))
    return replace(playout.setup, cards=tuple(rows))


def tell_the_same(playout: Playout, other: Setup, ply: int) -> bool:
    """Return True if the other cards would have given the player the same information without being shown.

    A peek does so: it tells whether there is a natural, and shows no card.
    """
    state = playout.states[ply]
    peeked = getattr(state.rules, "hole_card", None) == "peek" and state.rules.naturals and state.phase != "insurance"
    if not peeked or value(state.dealer[0]) not in (1, 10):
        return True
    return is_natural(state.dealer[:2]) == is_natural(playout.game.start(other).dealer[:2])


def replayed(playout: Playout, setup: Setup, plies: int) -> list[Any]:
    """Return the states of another setup after the first moves of this hand."""
    return list(states(playout.game, setup, playout.moves[:plies]))
