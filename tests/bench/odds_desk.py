"""The odds desk of a running site: the latency of new questions from eight clients, and of a card action meanwhile."""

import statistics
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection
from random import Random
from threading import Event, Thread
from typing import Final
from urllib.parse import urlsplit

from tests.bench.processes import Running, bare, tefuda
from tests.bench.server import Evening
from tests.bench.storm import ask, storm
from tests.bench.table import Row, show
from webapp.engine.cards import JOKER, STANDARD_DECK, Card

QUESTIONS: Final = 400
CLIENTS: Final = 8
GOAL_MS: Final = 150


def measure() -> list[Row]:
    with bare() as view:
        paths = ["/"] * QUESTIONS
        plain = _row(view, "(a view that does nothing)", paths)
    with tefuda() as room:
        _wait_for_tables(room)
        answers = [plain, *(_row(room, name, questions) for name, questions in _questions().items())]
        show(
            f"The odds desk: answers to new questions, {CLIENTS} clients at once; 99 of 100 within {GOAL_MS} ms",
            answers,
        )
        memory: Row = {"what": "megabytes of the site's process", "taken": max(room.memory), "at most": "-"}
        actions = list(_actions(room))
    show("A card action beside a flood of questions; it may take as long as beside the lab", actions)
    show("Memory", [memory])
    return [*answers, *actions, memory]


def _questions() -> dict[str, list[str]]:
    chance = Random(24)
    joker = [
        f"/odds/joker.json?table=kings-or-better&cards={_text(chance.sample((*STANDARD_DECK, JOKER), 5))}"
        for _ in range(QUESTIONS)
    ]
    return {"joker poker, 32 holds": joker, "blackjack, six decks": [_blackjack(chance) for _ in range(QUESTIONS)]}


def _blackjack(chance: Random) -> str:
    """Return the question about a random hand of two cards that can be played on."""
    while True:
        first, second, up = chance.sample(STANDARD_DECK, 3)
        if {min(first.rank, 10), min(second.rank, 10)} != {10} and 14 not in (first.rank, second.rank):
            return f"/odds/blackjack.json?cards={first}{second}&dealer={up}"


def _text(cards: list[Card]) -> str:
    return "".join(map(str, cards))


def _row(room: Running, name: str, paths: list[str]) -> Row:
    requests = [ask(path, fragment=False) for path in paths]
    seconds, answers = storm(room.url, requests, CLIENTS)
    assert {answer.status for answer in answers} == {200}, sorted(answer.status for answer in answers)
    ranked = statistics.quantiles([answer.seconds for answer in answers], n=100, method="inclusive")
    return {
        "question": name,
        "answers/s": len(paths) / seconds,
        "p50 ms": 1000 * ranked[49],
        "p99 ms": 1000 * ranked[98],
        "at most": GOAL_MS,
    }


def _wait_for_tables(room: Running) -> None:
    for path in (
        "/odds/joker.json?table=kings-or-better&cards=AhKhQhJh2c",
        "/odds/blackjack.json?cards=Th6s&dealer=Tc",
    ):
        while _status(room.url, path) == 202:
            pass  # each answer waits for its tables by itself


def _status(url: str, path: str) -> int:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=30)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _actions(room: Running) -> Iterator[Row]:
    """Measure card actions without questions, beside the lab, and while eight clients ask without a break."""
    evening = Evening(room, visitors=160)
    evening.play(looking=False)
    for state, disturb in STATES.items():
        evening.figures.clear()
        done = Event()
        flood = Thread(target=disturb, args=(room, done))
        flood.start()
        for _ in range(3):
            evening.play(looking=False)
        done.set()
        flood.join()
        for kind in ("deal", "draw"):
            ranked = statistics.quantiles(evening.figures[kind].taken, n=100, method="inclusive")
            yield {"action": kind, "beside": state, "p50 ms": 1000 * ranked[49], "p99 ms": 1000 * ranked[98]}


def _lab(room: Running, done: Event) -> None:
    """Run simulations on all cores of the lab."""
    jobs = [{"table": "vegas", "strategy": "basic", "rounds": "20000000", "nonce": f"b{n}"} for n in range(3)]
    storm(room.url, [ask("/lab", job, fragment=False) for job in jobs], 1)
    done.wait()


def _questions_at_once(room: Running, done: Event) -> None:
    """Ask about decisions that were never asked about; every sixteenth hand is a pair, which takes longest."""
    chance = Random(25)
    while not done.is_set():
        storm(room.url, [ask(_blackjack(chance), fragment=False) for _ in range(40)], CLIENTS)


def _dear_questions(room: Running, done: Event) -> None:
    """Ask questions that take seconds, as often as one address may: prices of own rules, and simulated decisions."""
    chance, seed = Random(26), 0
    while not done.is_set():
        seed += 1
        rules = f"vegas,decks={chance.randint(1, 8)},penetration={chance.randint(40, 90) / 100},soft_17=hit"
        paths = (
            f"/odds/blackjack/price?table={rules}",
            f"/lab/spot/blackjack?table={rules}&cards=8h8s&dealer=Tc&simulate=10000&seed={seed}",
        )
        storm(room.url, [ask(path, fragment=False) for path in paths * 4], CLIENTS)
        done.wait(1)


STATES: Final[Mapping[str, Callable[[Running, Event], None]]] = {
    "nothing": lambda _room, _done: None,
    "decisions": _questions_at_once,
    "dear questions": _dear_questions,
    "the lab": _lab,
}
"""What goes on beside the actions: the lab last, since it goes on."""
