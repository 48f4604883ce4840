"""The odds of blackjack: decisions of random six-deck hands, and the edge of a rule set, with and without Numba."""

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from tests.bench.table import Row, show
from webapp.engine.cards import STANDARD_DECK
from webapp.engine.games import blackjack
from webapp.engine.games.blackjack.rules import BlackjackRules
from webapp.engine.odds.blackjack.dealer_outcomes import Evaluate, evaluate_plainly
from webapp.engine.odds.blackjack.edge import edge
from webapp.engine.odds.blackjack.odds import BlackjackOdds
from webapp.engine.odds.blackjack.spot import spot
from webapp.engine.odds.value import MemoryStore
from webapp.engine.twenty_one.hand import is_natural

SPOTS: Final = 200
TABLES: Final = ("vegas", "vegas,soft_17=hit", "vegas,hole_card=no_peek", "european")


def measure() -> list[Row]:
    rows = [row for name, evaluate in _ways() for row in _rows(name, evaluate)]
    show("Blackjack: what a decision and a rule set take, in milliseconds of processor time", rows)
    return rows


def _ways() -> Iterator[tuple[str, Evaluate]]:
    yield "NumPy", evaluate_plainly
    try:
        from webapp.engine.odds.blackjack.dealer_compiled import evaluate_compiled
    except ImportError:
        return
    yield "Numba", evaluate_compiled


def _rows(name: str, evaluate: Evaluate) -> Iterator[Row]:
    odds, store = BlackjackOdds(blackjack.GAME, evaluate), MemoryStore()
    edge(BlackjackRules(), evaluate=evaluate)  # builds and compiles everything that is done once
    spots = list(_spots(Random(6)))
    taken = [_milliseconds(lambda state=state: odds.decision(state, store)) for state in spots]
    yield {
        "with": name,
        "of": f"{SPOTS} decisions",
        "median ms": statistics.median(taken),
        "worst ms": max(taken),
        "bound ms": 50 if name == "Numba" else 5000,
    }
    taken = [_milliseconds(lambda: edge(BlackjackRules(), evaluate=evaluate)) for _ in range(3)]
    bound = 1000 if name == "Numba" else "none"
    yield {
        "with": name,
        "of": "an edge",
        "median ms": statistics.median(taken),
        "worst ms": max(taken),
        "bound ms": bound,
    }


def _spots(chance: Random) -> Iterator[Any]:
    """Yield random hands of two cards that can be played on, every fifth of them a pair, against any upcard."""
    number = 0
    while number < SPOTS:
        first, second, up = chance.sample(STANDARD_DECK * 6, 3)
        second = first if number % 5 == 0 else second
        if not is_natural((first, second)):
            yield spot(blackjack.GAME, TABLES[number % len(TABLES)], f"{first} {second}", str(up))
            number += 1


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)
