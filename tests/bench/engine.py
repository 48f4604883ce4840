"""The engine alone: hands ranked per second, deals, replays, and rounds of blackjack.

Other evaluators of poker hands are measured beside it if they are installed.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Final

from tests.bench.rows import Played, played
from tests.bench.table import Row, show
from webapp.engine.cards import JOKER, STANDARD_DECK, Card
from webapp.engine.game import Setup, replay
from webapp.engine.games import GAMES, blackjack
from webapp.engine.notation import dumps, loads
from webapp.engine.poker import ranking
from webapp.engine.shuffling import shuffled

HANDS: Final = 20_000
JOKER_HANDS: Final = 500
ROUNDS: Final = 1_000
TRIES: Final = 5


def measure() -> list[Row]:
    chance = Random(1)
    hands = [tuple(chance.sample(STANDARD_DECK, 5)) for _ in range(HANDS)]
    ours = best(ranking.rank, hands)
    rows: list[Row] = [{"ranking five cards": "tefuda", "hands/s": 1 / ours, "times ours": 1}]
    for name, rank, other in others(hands):
        taken = best(rank, other)
        rows.append({"ranking five cards": name, "hands/s": 1 / taken, "times ours": ours / taken})
    show("Hands ranked, one call a hand, cards as each library likes them", rows)
    wild = list(_wild(chance))
    show("Hands with the joker ranked; who knows none is shown every card in its place", wild)
    parts = list(_parts())
    show("A hand of quest poker, by parts", parts)
    played_out = (_rounds(table, boxes) for table in blackjack.GAME.spec.variants for boxes in (1, 3))
    rounds = [row for row in played_out if row]
    show("Rounds of blackjack by random legal play, the shuffle not counted", rounds)
    return [*rows, *wild, *parts, *rounds]


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


def others(hands: list[tuple[Card, ...]]) -> Iterator[tuple[str, Callable[[Any], object], list[Any]]]:
    """Yield the evaluators that are installed: name, function, and the hands in its notation."""
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


def _wild(chance: Random) -> Iterator[Row]:
    """Rank hands with a joker. The others rank the hand with each of 48 cards in its place and take the best."""
    naturals = [tuple(chance.sample(STANDARD_DECK, 4)) for _ in range(JOKER_HANDS)]
    ours = best(ranking.rank, [(*four, JOKER) for four in naturals])
    yield {"ranking four cards and the joker": "tefuda", "hands/s": 1 / ours, "times ours": 1}
    tried = [(*four, card) for four in naturals for card in STANDARD_DECK if card not in four]
    for name, rank, other in others(tried):
        taken = best(rank, other) * len(tried) / len(naturals)
        yield {"ranking four cards and the joker": name, "hands/s": 1 / taken, "times ours": ours / taken}


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


def _parts() -> Iterator[Row]:
    hands = list(played(300))
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
