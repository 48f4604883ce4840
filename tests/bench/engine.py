"""The engine alone: hands ranked per second, deals, replays, and rounds of blackjack."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from tests.bench.table import Row, show
from webapp.engine.action import Action
from webapp.engine.cards import JOKER, STANDARD_DECK
from webapp.engine.game import Setup, replay, states
from webapp.engine.games import GAMES, blackjack
from webapp.engine.notation import dumps, loads, record
from webapp.engine.poker import ranking
from webapp.engine.shuffling import ShuffledPacks, shuffled

HANDS: Final = 20_000
JOKER_HANDS: Final = 500
ROUNDS: Final = 1_000
TRIES: Final = 5


def measure() -> list[Row]:
    chance = Random(1)
    hands = [tuple(chance.sample(STANDARD_DECK, 5)) for _ in range(HANDS)]
    wild = [(*chance.sample(STANDARD_DECK, 4), JOKER) for _ in range(JOKER_HANDS)]
    ranked: list[Row] = [
        {"ranking": "five cards", "hands/s": 1 / best(ranking.rank, hands)},
        {"ranking": "four cards and the joker", "hands/s": 1 / best(ranking.rank, wild)},
    ]
    show("Hands ranked, one call a hand", ranked)
    parts = list(_parts())
    show("A hand of quest poker, by parts", parts)
    played_out = (_rounds(table, boxes) for table in blackjack.GAME.spec.variants for boxes in (1, 3))
    rounds = [row for row in played_out if row]
    show("Rounds of blackjack by random legal play, the shuffle not counted", rounds)
    return [*ranked, *parts, *rounds]


def best(work: Callable[[Any], object], values: Iterable[Any]) -> float:
    """Return the CPU seconds per value, the best of several tries: other load on the machine only adds to it."""
    listed = list(values)
    tries = []
    for _ in range(TRIES):
        began = time.process_time()
        for value in listed:
            work(value)
        tries.append(time.process_time() - began)
    return min(tries) / len(listed)


def _rounds(table: str, boxes: int) -> Row | None:
    """Play random rounds from shuffled shoes, without rendering views."""
    game, chance = blackjack.GAME, Random(2)
    bets = game.rules(table).bets
    if bets is None and boxes > 1:
        return None
    shoe = STANDARD_DECK * game.rules(table).decks
    stakes = (bets.least,) * boxes if bets else ()
    setups = [Setup(table, stakes, (tuple(chance.sample(shoe, 50)),)) for _ in range(ROUNDS)]

    def play(setup: Setup) -> object:
        state = game.start(setup)
        while legal := game.legal_actions(state):
            state = game.apply(state, legal[int(chance.random() * len(legal))])
        return game.result(state)

    taken = best(play, setups)
    return {"table": table, "boxes": boxes, "rounds/s": 1 / taken, "microseconds": 1e6 * taken}


@dataclass(frozen=True)
class Played:
    """A finished hand of quest poker."""

    key: str
    seed: bytes
    cut: str
    moves: tuple[Action, ...] = ()

    def setup(self) -> Setup:
        """Return the setup; its packs are shuffled when first used."""
        game = GAMES["poker"]
        variant = game.spec.default
        return Setup(variant, (), ShuffledPacks(self.seed, self.key, (self.cut,), game.packs(variant)))

    @property
    def line(self) -> str:
        return dumps(record(GAMES["poker"], self.setup(), self.moves))


def _played(count: int) -> Iterator[Played]:
    """Yield random hands: any cards are held, and every second win is doubled."""
    chance, game = Random(1), GAMES["poker"]
    for number in range(count):
        hand = Played(f"01{number:08}", chance.randbytes(32), f"cut-{number}")
        (state,) = states(game, hand.setup(), ())
        moves: list[Action] = []
        while legal := game.legal_actions(state):
            moves.append(chance.choice(legal))
            state = game.apply(state, moves[-1])
        yield replace(hand, moves=tuple(moves))


def _parts() -> Iterator[Row]:
    hands = list(_played(300))
    lines = [hand.line for hand in hands]
    works: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
        "shuffle a deck, provably": (
            lambda hand: shuffled.__wrapped__(hand.seed, hand.key, 0, 1, 0, (hand.cut,)),
            hands,
        ),
        "replay from seed and moves": (_replayed, hands),
        "view": (lambda state: GAMES["poker"].view(state, None), [_replayed(hand) for hand in hands]),
        "notation, written": (dumps, [loads(line) for line in lines]),
        "notation, read and proved": (loads, lines),
    }
    for name, (work, values) in works.items():
        yield {"part": name, "microseconds": 1e6 * best(work, values)}


def _replayed(hand: Played) -> object:
    return replay(GAMES["poker"], hand.setup(), hand.moves)
