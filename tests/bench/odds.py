"""The odds of draw poker: all holds of a hand, the tables of a pay table, the arcade, and the memory of a process."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from tests.bench.engine import best
from tests.bench.table import Row, show
from webapp.engine.cards import JOKER, STANDARD_DECK, Card, format_cards
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.engine.odds.value import MemoryStore
from webapp.services.odds.store import FolderStore

HANDS: Final = 500
TABLE: Final = "kings-or-better"


def measure() -> list[Row]:
    holds = list(_holds())
    show("A hand of draw poker, in microseconds of processor time", holds)
    once = list(_once())
    show("The odds of draw poker, in seconds of processor time", once)
    grown = _growth()
    show("What a process grows by, with the tables as files: NumPy, and a thousand decisions", [grown])
    return [*holds, *once, grown]


def _holds() -> Iterator[Row]:
    """Measure what the odds desk, the coach and the reviews call for a decision, and its parts."""
    from webapp.engine.odds.draw.final_hands import LineTables
    from webapp.engine.odds.draw.hold_counts import hold_counts, hold_sums
    from webapp.engine.odds.draw.spot import spot

    game, store, hands = GAMES["joker"], MemoryStore(), _hands()
    tables, odds = LineTables.of(game.rules(TABLE).pay_table, 1, store), odds_of(game)
    states = [spot(game, TABLE, format_cards(hand)) for hand in hands]
    sums = best(lambda hand: hold_sums(tables, hand), hands)
    yield {"what": "32 holds: what all their draws pay together", "taken": sums * 1e6, "at most": 15}
    decision = best(lambda state: odds.decision(state, store), states)
    yield {"what": "a decision: their values as fractions, ranked", "taken": decision * 1e6, "at most": "-"}
    counts = best(lambda hand: hold_counts(tables, hand), hands)
    yield {"what": "the chance of each line after each of them", "taken": counts * 1e6, "at most": "-"}


def _hands() -> list[tuple[Card, ...]]:
    chance = Random(1)
    return [tuple(chance.sample((*STANDARD_DECK, JOKER), 5)) for _ in range(HANDS)]


def _once() -> Iterator[Row]:
    from webapp.engine.odds.draw.final_hands import LineTables

    rules = GAMES["joker"].rules("arcade")
    tables = _taken(lambda: LineTables.of(rules.pay_table, 1, MemoryStore()))
    yield {"what": "tables of a pay table", "taken": tables, "at most": 1}
    odds = odds_of(GAMES["joker"])
    yield {
        "what": "return of optimal play",
        "taken": _taken(lambda: odds.game("arcade-1", MemoryStore())),
        "at most": "-",
    }
    arcade = _taken(lambda: odds.game("arcade", MemoryStore()))
    yield {"what": "tables of three exchanges", "taken": arcade, "at most": 60}
    yield {"what": "megabytes that they took", "taken": _peak(), "at most": "-"}


def _taken(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


GROWTH: Final = """
import resource, sys
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from webapp.engine.cards import JOKER, STANDARD_DECK, format_cards
from webapp.engine.games import GAMES
from webapp.engine.odds import odds_of
from webapp.services.odds.store import FolderStore
from webapp.app import create_app

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / (1 << 20)

before, chance, store, game = resident(), Random(2), FolderStore(Path(sys.argv[1])), GAMES["joker"]
odds = odds_of(game)
from webapp.engine.odds.draw.spot import spot
for _ in range(1000):
    hand = format_cards(chance.sample((*STANDARD_DECK, JOKER), 5))
    odds.decision(spot(game, "kings-or-better", hand), store)
assert "numba" not in sys.modules
print(resident() - before)
"""


def _growth() -> Row:
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        odds_of(GAMES["joker"]).game("kings-or-better", FolderStore(Path(folder)))
        grown = subprocess.run([sys.executable, "-c", GROWTH, folder], capture_output=True, text=True, check=True)
    return {"what": "megabytes", "taken": float(grown.stdout), "at most": 40}
