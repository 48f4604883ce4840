"""Requests per second of what a player does, beside a bare Flask view in the same minute on the same machine."""

import os
import re
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from typing import Final

from tests.bench.processes import Running, bare, tefuda
from tests.bench.storm import CLIENTS, Answer, ask, storm
from tests.bench.table import Row, show

PLAYERS: Final = 320
ROUNDS: Final = 3
GOAL: Final = 3
"""What an action may cost, in bare views."""


@dataclass
class Figures:
    """Of one kind of request, over all rounds."""

    seconds: float = 0
    cpu: float = 0
    taken: list[float] = field(default_factory=list)

    @property
    def each(self) -> float:
        """Seconds a request: the machine's, not the waiting client's."""
        return self.seconds / len(self.taken)

    def storm(self, server: Running, requests: list[bytes], clients: int = CLIENTS) -> list[Answer]:
        """Send them all, and count."""
        cpu = server.cpu
        seconds, answers = storm(server.url, requests, clients)
        self.seconds += seconds
        self.cpu += server.cpu - cpu
        self.taken += [answer.seconds for answer in answers]
        return answers

    def row(self, kind: str, view: "Figures") -> Row:
        ranked = statistics.quantiles(self.taken, n=100, method="inclusive")
        return {
            "request": kind,
            "requests/s": 1 / self.each,
            "p50 ms": 1000 * ranked[49],
            "p99 ms": 1000 * ranked[98],
            "cpu ms": 1000 * self.cpu / len(self.taken),
            "bare views": self.each / view.each,
            "bare views of cpu": (self.cpu / len(self.taken)) / (view.cpu / len(view.taken)),
        }


@dataclass(frozen=True)
class Course:
    """A hand of one game, the same way by everybody, so that each kind of request has figures of its own."""

    game: str
    deal: dict[str, str]
    moves: tuple[tuple[str, str, dict[str, str]], ...]
    """What the request is called, the verb that must be offered for it, and what is sent with the verb."""


COURSES: Final = (
    Course("poker", {}, (("draw", "hold", {"arg": "1"}), ("collect", "collect", {}))),
    Course("joker", {"stake": "1"}, (("exchange", "hold", {"arg": "1"}), ("stop", "stop", {}))),
    Course("blackjack", {"stake": "10"}, (("no insurance", "decline", {}), ("stand", "stand", {}))),
)


@dataclass
class Visitor:
    """A player with a cookie, and the hand on the table."""

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
        """What stands in the addresses that forms send moves to; a hint and a verdict have longer ones."""
        return set(re.findall(f'hx-post="{address}"', self.answer))

    @property
    def place(self) -> str:
        return f"/play/{self.course.game}"

    def may(self, verb: str) -> bool:
        return f'value="{verb}"' in self.answer


class Evening:
    """Visitors who all do the same at the same time."""

    def __init__(
        self, room: Running, visitors: int = PLAYERS, course: Course = COURSES[0], clients: int = CLIENTS
    ) -> None:
        self.room, self.clients = room, clients
        self.course = course
        self.visitors = [Visitor(course) for _ in range(visitors)]
        self.figures: dict[str, Figures] = {}

    def play(self, looking: bool = True) -> None:
        """One hand each, from sitting down to its end; then they look at the whole page and at the finished hand."""
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


def measure() -> list[Row]:
    """Play evenings and nothing at all by turns. The first one warms up, and is not counted."""
    rows: list[Row] = []
    for course in COURSES:
        view = Figures()
        with bare() as nothing, tefuda() as room:
            evening = Evening(room, course=course)
            evening.play()
            view.storm(nothing, [ask("/")] * PLAYERS)
            evening.figures.clear()
            view = Figures()
            for _ in range(ROUNDS):
                evening.play()
                view.storm(nothing, [ask("/")] * 5 * PLAYERS)
        figures = {"bare Flask view": view, **evening.figures}
        played = [{"game": course.game, **each.row(kind, view)} for kind, each in figures.items()]
        show(f"{course.game}, {CLIENTS} clients at once; the goal for an action is at most {GOAL} bare views", played)
        rows += played
    print(f"  A durable write of this disk alone takes {durable_write():.3g} ms; each action is one.")
    return rows


def durable_write() -> float:
    """Milliseconds of one fsync, where the rooms of this bench lie: no action can be answered sooner."""
    with tempfile.TemporaryFile() as file:
        began = time.perf_counter()
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        return 1000 * (time.perf_counter() - began) / 50
