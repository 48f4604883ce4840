"""The lab: rounds per second of the kernel, beside the engine and over more cores; and what a card action takes while
the lab is full.
"""

import resource
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http.client import HTTPConnection
from random import Random
from typing import Final
from urllib.parse import urlencode, urlsplit

from tests.bench.processes import tefuda
from tests.bench.server import Evening
from tests.bench.table import Row, show
from webapp.engine.action import ALONE, Action
from webapp.engine.cards import STANDARD_DECK
from webapp.engine.game import Setup
from webapp.engine.games import GAMES
from webapp.engine.games.blackjack.rules import parse_rules
from webapp.engine.odds import odds_of
from webapp.engine.odds.blackjack.count_index import CountIndices, IndexingCounts
from webapp.engine.odds.value import MemoryStore
from webapp.engine.simulation.card_counter import CardCounter
from webapp.engine.simulation.chunks import KernelRun, chunk_key
from webapp.engine.simulation.counted_play import counter_with_indices
from webapp.engine.simulation.experiment import Scenario
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.twenty_one.counting import HI_LO

ROUNDS: Final = 5_000_000
TRIES: Final = 5
ENGINE_ROUNDS: Final = 5_000
EVENINGS: Final = 4
SCENARIOS: Final = (
    ("vegas,decks=2", "mimic"),
    ("vegas", "mimic"),
    ("vegas", "basic"),
    ("single", "basic"),
    ("european", "basic"),
)


def measure() -> list[Row]:
    rows = [_kernel(f"{variant}, {strategy}", kernel_run(variant, strategy)) for variant, strategy in SCENARIOS]
    rows += [_kernel("vegas, by the count", _counted(has_charts=False)), _kernel("vegas, index plays", _counted())]
    rows += [_kernel(f"the same, {boxes} boxes", _counted(boxes=boxes), boxes) for boxes in (2, 3)]
    show(
        "The kernel on one core, in millions of boxes: the goals are 22 with two decks as the dealer, 15 with six by "
        "the book or by the count",
        rows,
    )
    beside: list[Row] = [{"blackjack as the dealer plays": "by the engine", "rounds/s": _engine()}]
    show("The engine that the tables play with", beside)
    cores = list(_cores())
    show("Threads of one process, each with a shoe of its own", cores)
    busy = list(_full())
    show("A card action, 32 clients at once; with the lab full it may take three times as long", busy)
    print(
        f"  Memory of this process at its highest: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )
    return [*rows, *beside, *cores, *busy]


def kernel_run(variant: str, strategy: str, number: int = 0) -> KernelRun:
    rules = parse_rules(variant)
    return KernelRun(Scenario(rules, strategy_by_name(strategy, rules)), 10, chunk_key(1, number))


def _counted(has_charts: bool = True, boxes: int = 1) -> KernelRun:
    """Return a run of a player who counts, and plays by all index numbers or by the book."""
    rules, counter = parse_rules("vegas"), CardCounter(HI_LO)
    basic = strategy_by_name("basic", rules)
    if has_charts:
        counter = counter_with_indices(counter, _indices(), basic)
    return KernelRun(Scenario(rules, basic, counter, boxes), 10, chunk_key(1, 0))


@cache
def _indices() -> CountIndices:
    odds = odds_of(GAMES["blackjack"])
    assert isinstance(odds, IndexingCounts)
    return odds.count_indices("vegas", HI_LO, MemoryStore())


def _kernel(kind: str, run: KernelRun, boxes: int = 1) -> Row:
    """Measure the best of some tries: what a busy machine adds is not ours."""
    seconds = []
    run.play(1000)
    for _ in range(TRIES):
        began = time.process_time()
        run.play(ROUNDS)
        seconds.append(time.process_time() - began)
    mean, speed = run.statistics().mean, boxes * ROUNDS / min(seconds) / 1e6
    return {"played": kind, "million/s": speed, "mean %": 100 * mean}


def _engine() -> float:
    """Return the rounds a second that the engine plays as a dealer, by the best of some tries."""
    game, random = GAMES["blackjack"], Random(1)
    shoe = tuple(random.sample(STANDARD_DECK * 2, 104))
    tries = []
    for _ in range(TRIES):
        began = time.process_time()
        for _ in range(ENGINE_ROUNDS):
            start = random.randrange(60)
            state = game.start(Setup("vegas,decks=2", (10,), (shoe[start : start + 44],)))
            while legal := game.legal_actions(state):
                verb = "decline" if legal[-1].verb == "decline" else "hit" if state.hand.total < 17 else "stand"
                state = game.apply(state, Action(ALONE, verb))
        tries.append(time.process_time() - began)
    return ENGINE_ROUNDS / min(tries)


def _cores() -> Iterator[Row]:
    for threads in (1, 2):
        runs = [kernel_run("vegas", "basic", number) for number in range(threads)]
        with ThreadPoolExecutor(threads) as pool:
            tries = []
            for _ in range(3):
                began = time.perf_counter()
                list(pool.map(lambda run: run.play(ROUNDS), runs))
                tries.append(time.perf_counter() - began)
        yield {"threads": str(threads), "million rounds/s": threads * ROUNDS / min(tries) / 1e6}


def _full() -> Iterator[Row]:
    """Play hands while nobody simulates, and while there are more jobs than can be served."""
    with tefuda() as room:
        evening = Evening(room, visitors=160)
        evening.play(looking=False)
        for lab in ("idle", "full"):
            evening.figures.clear()
            for _ in range(EVENINGS):
                if lab == "full":
                    _begin(room.url, 12)
                evening.play(looking=False)
            for kind in ("deal", "draw"):
                ranked = statistics.quantiles(evening.figures[kind].taken, n=100, method="inclusive")
                yield {"action": kind, "lab": lab, "p50 ms": 1000 * ranked[49], "p99 ms": 1000 * ranked[98]}


def _begin(url: str, jobs: int) -> None:
    """Begin jobs, each by a visitor of its own."""
    for number in range(jobs):
        connection = HTTPConnection(urlsplit(url).netloc, timeout=10)
        fields = {"table": "vegas", "strategy": "basic", "rounds": "20000000", "seed": str(number)}
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        connection.request("POST", "/lab", urlencode(fields), headers)
        connection.getresponse().read()
        connection.close()
