"""Requests per second of everything a player does, beside a bare Flask view in the same run (see ``tests.bench.bare``).

CPU times are those of the cheapest of several rounds, for bare views and actions alike: whatever else runs on the
machine makes them longer, up to three times on a shared one, and not all of them by the same factor.
"""

import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from tests.bench.goals import Goal
from tests.bench.processes import Running, bare, tefuda
from tests.bench.storm import CLIENTS, Answer, ask, storm
from tests.bench.table import Row, show
from tests.bench.tables import Crowded, one_evening

PLAYERS: Final = 160
ROUNDS: Final = 6
BARE: Final = 10
"""Requests of bare views for each player."""
ENOUGH: Final = 50
"""Requests in a storm whose mean cost can be compared with that of another storm."""
VIEWS: Final = "in bare views"
ALL_GAMES: Final = "an action, all games"
AT_A_TABLE: Final = "an action at a shared table, with all its views"
COMPANY: Final = 20
"""Shared tables of five seats and five who look on."""
SECONDS: Final = 30.0


@dataclass
class Figures:
    """Figures of one kind of request over all rounds. ``storms``: requests and CPU seconds of each round."""

    seconds: float = 0
    cpu: float = 0
    taken: list[float] = field(default_factory=list)
    storms: list[tuple[int, float]] = field(default_factory=list)

    @property
    def each(self) -> float:
        """Seconds per request at full load, not the latency."""
        return self.seconds / len(self.taken)

    def storm(self, server: Running, requests: list[bytes], clients: int = CLIENTS) -> list[Answer]:
        """Send all requests and record the results."""
        cpu = server.cpu
        seconds, answers = storm(server.url, requests, clients)
        self.seconds += seconds
        spent = server.cpu - cpu
        self.cpu += spent
        self.storms.append((len(requests), spent))
        self.taken += [answer.seconds for answer in answers]
        return answers

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds per request in the cheapest round, as other loads of the machine only add to them."""
        costs = [cpu / requests for requests, cpu in self.storms if requests >= ENOUGH]
        return 1000 * min(costs, default=self.cpu / len(self.taken))

    def row(self, kind: str, view: "Figures") -> Row:
        ranked = statistics.quantiles(self.taken, n=100, method="inclusive")
        return {
            "request": kind,
            "requests/s": 1 / self.each,
            "p50 ms": 1000 * ranked[49],
            "p99 ms": 1000 * ranked[98],
            **_in_bare_views(self.cpu_ms, view),
        }

    @classmethod
    def together(cls, several: "Iterable[Figures]") -> "Figures":
        """Return the combined figures of several kinds of requests."""
        one = cls()
        for figures in several:
            one.seconds += figures.seconds
            one.cpu += figures.cpu_ms / 1000 * len(figures.taken)
            one.taken += figures.taken
        return one


@dataclass(frozen=True)
class Course:
    """A fixed course of a hand of one game, so that each kind of request has figures of its own."""

    game: str
    deal: dict[str, str]
    moves: tuple[tuple[str, str, dict[str, str]], ...]
    """What the request is called, the verb that must be offered for it, and what is sent with the verb."""

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the requests that are actions; sitting down and looking are not."""
        return ("deal", *(kind for kind, *_ in self.moves))


COURSES: Final = (
    Course("poker", {}, (("draw", "hold", {"arg": "1"}), ("collect", "collect", {}))),
    Course("joker", {"stake": "1"}, (("exchange", "hold", {"arg": "1"}), ("stop", "stop", {}))),
    Course("blackjack", {"stake": "10"}, (("no insurance", "decline", {}), ("stand", "stand", {}))),
)


GOALS: Final = (
    Goal("CPU of an action", "views", ALL_GAMES, VIEWS, 24),
    *(Goal(f"CPU of an action, {course.game}", "views", f"an action, {course.game}", VIEWS, 24) for course in COURSES),
)


@dataclass
class Visitor:
    """A player with a cookie and an open hand."""

    course: Course
    cookies: dict[str, str] = field(default_factory=dict)
    hand: str = ""
    answer: str = ""

    def sit(self) -> bytes:
        return ask(self.place, {}, self.cookies)

    def deal(self) -> bytes:
        (self.hand,) = self._sent_to(f"{self.place}/([0-9A-Za-z]+)/0")
        return ask(f"{self.place}/{self.hand}/0", {"verb": "deal", "cut": "measured", **self.course.deal}, self.cookies)

    def move(self, verb: str, sent: dict[str, str]) -> bytes:
        (step,) = self._sent_to(f"{self.place}/{self.hand}/([0-9]+)")
        return ask(f"{self.place}/{self.hand}/{step}", {"verb": verb, **sent}, self.cookies)

    def table(self) -> bytes:
        return ask(self.place, cookies=self.cookies, fragment=False)

    def finished(self) -> bytes:
        return ask(f"/h/{self.hand}", cookies=self.cookies, fragment=False)

    def hear(self, answer: Answer) -> None:
        assert answer.status in (200, 201), answer.text
        self.cookies |= answer.cookies
        self.answer = answer.text

    def _sent_to(self, address: str) -> set[str]:
        """Return the part of a form address that names the move; addresses of hints and verdicts are longer."""
        return set(re.findall(f'(?:action|data-send)="{address}"', self.answer))

    @property
    def place(self) -> str:
        return f"/play/{self.course.game}"

    def may(self, verb: str) -> bool:
        return f'value="{verb}"' in self.answer


class Evening:
    """Players who all send the same request at the same time."""

    def __init__(
        self, room: Running, visitors: int = PLAYERS, course: Course = COURSES[0], clients: int = CLIENTS
    ) -> None:
        self.room, self.clients = room, clients
        self.course = course
        self.visitors = [Visitor(course) for _ in range(visitors)]
        self.figures: dict[str, Figures] = {}

    def play(self, looking: bool = True) -> None:
        """Play one hand each; then request the whole page and the finished hand."""
        self._all("sit", [(visitor, visitor.sit()) for visitor in self.visitors])
        self._all("deal", [(visitor, visitor.deal()) for visitor in self.visitors])
        for kind, verb, sent in self.course.moves:
            self._all(kind, [(visitor, visitor.move(verb, sent)) for visitor in self.visitors if visitor.may(verb)])
        if not looking:
            return
        self._all("table, whole page", [(visitor, visitor.table()) for visitor in self.visitors])
        self._all("finished hand", [(visitor, visitor.finished()) for visitor in self.visitors])

    def _all(self, kind: str, wanted: list[tuple[Visitor, bytes]]) -> None:
        if not wanted:
            return
        figures = self.figures.setdefault(kind, Figures())
        answers = figures.storm(self.room, [request for _, request in wanted], self.clients)
        for (visitor, _), answer in zip(wanted, answers, strict=True):
            visitor.hear(answer)


def measure(players: int = PLAYERS, rounds: int = ROUNDS, seconds: float = SECONDS) -> list[Row]:
    """Alternate between hands and bare views, in one run. The first round is a warm-up and is not counted."""
    view = Figures()
    with ExitStack() as stack:
        room = stack.enter_context(tefuda(TEFUDA_LAB_WORKERS="0"))  # no simulations or reviews meanwhile
        nothing = stack.enter_context(bare())
        evenings = [Evening(room, players, course) for course in COURSES]
        for counted in range(1 + rounds):
            for evening in evenings:
                evening.play()
            view.storm(nothing, [ask("/")] * BARE * players)
            if not counted:
                for evening in evenings:
                    evening.figures.clear()
                view = Figures()
        at_a_table = one_evening(room, Crowded(COMPANY, seconds=seconds))
    rows = [view.row("nothing", view)]
    rows += [
        figures.row(f"{evening.course.game}: {kind}", view)
        for evening in evenings
        for kind, figures in evening.figures.items()
    ]
    show(f"What a player does, {CLIENTS} clients at once", rows)
    actions = [_actions(evening.course.game, [evening], view) for evening in evenings]
    actions.append(_actions("all games", evenings, view))
    actions.append({"action": AT_A_TABLE, **_in_bare_views(float(at_a_table["cpu ms an action"]), view)})
    show("CPU of an action", actions)
    print(f"  A durable write of this disk alone takes {durable_write():.3g} ms; each action is one.")
    return [*rows, *actions]


def _actions(game: str, evenings: list[Evening], view: Figures) -> Row:
    """Return the mean cost of all actions."""
    acted = Figures.together(
        evening.figures[kind] for evening in evenings for kind in evening.course.actions if kind in evening.figures
    )
    return {"action": f"an action, {game}", **_in_bare_views(acted.cpu_ms, view)}


def _in_bare_views(cpu_ms: float, view: Figures) -> Row:
    return {"cpu ms": cpu_ms, VIEWS: cpu_ms / view.cpu_ms}


def durable_write() -> float:
    """Return the milliseconds of one fsync in the folder of the benchmarks, the lower limit for any action."""
    with tempfile.TemporaryFile() as file:
        began = time.perf_counter()
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        return 1000 * (time.perf_counter() - began) / 50
