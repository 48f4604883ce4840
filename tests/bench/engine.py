"""The engine alone: hands ranked per second, beside other people's evaluators where they can be had; deals; replays."""

import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Final

from tests.bench.rows import Played, played
from tests.bench.table import Row, show
from webapp.engine import poker
from webapp.engine.cards import STANDARD_DECK, Card
from webapp.engine.game import replay
from webapp.engine.games import GAMES
from webapp.engine.notation import dumps, loads
from webapp.engine.shuffling import shuffled

HANDS: Final = 20_000
TRIES: Final = 5


def measure() -> list[Row]:
    chance = Random(1)
    hands = [tuple(chance.sample(STANDARD_DECK, 5)) for _ in range(HANDS)]
    ours = best(poker.rank, hands)
    rows: list[Row] = [{"ranking five cards": "tefuda", "hands/s": 1 / ours, "times ours": 1}]
    for name, rank, other in others(hands):
        taken = best(rank, other)
        rows.append({"ranking five cards": name, "hands/s": 1 / taken, "times ours": ours / taken})
    show("Hands ranked, one call a hand, cards as each library likes them", rows)
    parts = list(_parts())
    show("A hand of quest poker, by parts", parts)
    return rows + parts


def best(work: Callable[[Any], object], values: Iterable[Any]) -> float:
    """Seconds of processor time a value, of the best of a few tries: what a busy machine adds is not ours."""
    listed = list(values)
    tries = []
    for _ in range(TRIES):
        began = time.process_time()
        for value in listed:
            work(value)
        tries.append(time.process_time() - began)
    return min(tries) / len(listed)


def others(hands: list[tuple[Card, ...]]) -> Iterator[tuple[str, Callable[[Any], object], list[Any]]]:
    """Whoever is installed: name, evaluator, and the same hands in its own words."""
    words = [[str(card) for card in hand] for hand in hands]
    try:
        import treys

        yield "treys", treys.Evaluator()._five, [[treys.Card.new(word) for word in hand] for hand in words]
    except ImportError:
        pass
    try:
        import eval7

        yield "eval7 (C)", eval7.evaluate, [[eval7.Card(word) for word in hand] for hand in words]
    except ImportError:
        pass
    try:
        from phevaluator.card import Card as Theirs
        from phevaluator.evaluator import evaluate_cards

        told = [[Theirs.to_id(word) for word in hand] for hand in words]
        yield "phevaluator (C)", lambda hand: evaluate_cards(*hand), told
    except ImportError:
        pass


def _parts() -> Iterator[Row]:
    hands = list(played(300))
    lines = [hand.line for hand in hands]
    works: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
        "shuffle a deck, provably": (lambda hand: shuffled(hand.seed, hand.key, 0, 1, 0, (hand.cut,)), hands),
        "replay from seed and moves": (_replayed, hands),
        "view": (lambda state: GAMES["poker"].view(state, None), [_replayed(hand) for hand in hands]),
        "notation, written": (dumps, [loads(line) for line in lines]),
        "notation, read and proved": (loads, lines),
    }
    for name, (work, values) in works.items():
        yield {"part": name, "microseconds": 1e6 * best(work, values)}


def _replayed(hand: Played) -> object:
    return replay(GAMES["poker"], hand.setup(), hand.moves)
