"""Players and open pages that send requests without a break, each in a thread, while server processes are restarted.

They sit behind a proxy, so none of their requests may fail. They record each acknowledged move, to be looked up later.
"""

import http.client
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from threading import Event, Thread
from typing import ClassVar

from tests.support.moves import dealt, finished_json, next_move
from tests.support.player import OverHttp, Player
from tests.support.table_players import TablePlayer
from webapp.engine.action import Action

PATIENCE = 120
"""Seconds after which somebody who waits takes what it waits for to have failed."""
PLAYS = ("hit", "stand", "double", "split")
VERBS = ("ready", "bet", *PLAYS)


class RequestThread(ABC):
    """A thread that repeats ``act`` until it is stopped. ``done`` is the number of completed repetitions."""

    def __init__(self) -> None:
        self.done, self.failure = 0, ""
        self._stop = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self.act()
                self.done += 1
        except Exception as error:  # noqa: BLE001  # the test says it
            if not self._stop.is_set():
                self.failure = f"{type(self).__name__}: {error!r}"[:2000]

    @abstractmethod
    def act(self) -> None:
        """Send one request, or a few that belong together, and assert that they succeed."""


class SoloPlayer(RequestThread):
    """Plays one solo game, hand after hand. ``moves`` are the acknowledged moves by hand."""

    def __init__(self, player: Player, game: str, seed: int) -> None:
        super().__init__()
        self.player, self.game, self._random = player, game, Random(seed)
        self.moves: dict[str, list[str]] = {}

    def act(self) -> None:
        player = self.player
        if not player.board or player.over:
            dealt(player, game=self.game)
            self.moves[player.hand] = []
        else:
            move = next_move(player.board, self._random)
            player.do(move)
            self.moves[player.hand].append(move)
        assert player.status == 200, (player.status, player.answer.text[:300])
        assert player.board["note"] in (None, "repeated"), player.board["note"]

    def finish(self) -> None:
        while not self.player.over:
            self.act()

    def require_kept(self) -> int:
        """Assert that the finished hands contain all acknowledged moves; return their number."""
        for hand, moves in self.moves.items():
            assert finished_json(self.player, hand)["moves"] == moves, hand
        return sum(map(len, self.moves.values()))


class TableCompany(RequestThread):
    """Three players at a shared table, round after round. ``moves`` are the acknowledged moves by round."""

    RULES: ClassVar = {"turn_clock": 60, "bet_clock": 60, "absent_after": 60}

    def __init__(self, people: Sequence[TablePlayer], seed: int) -> None:
        super().__init__()
        self.people, self._random = people, Random(seed)
        self.code = people[0].open(**self.RULES)
        self.moves: dict[int, list[tuple[int, str]]] = {}
        self.links: dict[int, str] = {}
        for number, person in enumerate(people):
            person.come(self.code)
            self._do(person, "sit", number)

    @property
    def in_mid_round(self) -> bool:
        return self.people[0].phase == "playing"

    def act(self) -> None:
        """Let one player do what the table waits for."""
        for person in self.people:
            person.see()
            assert person.status == 200, (person.status, person.answer.text[:300])
        if person.phase == "settled":
            self.links[person.table["round"]] = person.table["last"]
        for person in self.people:
            wanted = [verb for verb in VERBS if verb in person.table["actions"]]
            if wanted:
                self._play(person, self._random.choice(wanted))
                return

    def _play(self, person: TablePlayer, verb: str) -> None:
        round, seat = person.table["round"], person.you
        assert seat is not None
        self._do(person, verb, person.table["limits"][0] if verb == "bet" else None)
        if verb in PLAYS:
            self.moves.setdefault(round, []).append((seat, verb))

    def _do(self, person: TablePlayer, verb: str, arg: object = None) -> None:
        """Send a command.

        After a kill the proxy repeats it to another process, which may answer 409: already carried out.
        """
        before = person.see()["version"]
        person.do(verb, arg)
        if person.status == 409:
            assert person.see()["version"] > before, "it was carried out by the process that was killed"
        assert person.status == 200, (verb, person.status, person.answer.text[:300])

    def finish(self) -> None:
        """Play until a round has just ended."""
        while self.people[0].see()["phase"] != "settled":
            self.act()
        self.links[self.people[0].table["round"]] = self.people[0].table["last"]

    def require_kept(self) -> int:
        """Assert that the finished rounds contain all acknowledged moves; return their number."""
        for round, link in self.links.items():
            hand = finished_json(self.people[0], link.removeprefix("/h/"))
            assert hand["status"] == "done"
            seats = [seat["seat"] for seat in hand["seats"]]
            played = zip(map(Action.parse, hand["moves"]), hand["reasons"], strict=True)
            by_people = [(seats[move.seat], move.verb) for move, reason in played if reason is None]
            assert by_people == self.moves.get(round, []), link
        assert self.moves.keys() <= self.links.keys()
        return sum(map(len, self.moves.values()))


class OpenPage(RequestThread):
    """A page with an event stream, which it reopens when it ends.

    ``version`` is the last one the stream has announced.
    """

    def __init__(self, line: OverHttp, code: str) -> None:
        super().__init__()
        self._line, self.code = line, code
        self.version, self.opened = 0, 0
        self._connection: http.client.HTTPConnection | None = None

    def act(self) -> None:
        """Read one stream to its end, then wait for the seconds that its ``retry`` field names."""
        connection = self._connection = self._line.connection()
        cookie = "; ".join(f"{name}={value}" for name, value in self._line.cookies.items())
        again, event = 0.0, ""
        try:
            connection.request("GET", f"/t/{self.code}/events?since={self.version}", headers={"Cookie": cookie})
            answer = connection.getresponse()
            assert answer.status == 200, (answer.status, answer.read()[:300])
            self.opened += 1
            for line in lines_of(answer):
                if line.startswith("retry: "):
                    again = int(line.removeprefix("retry: ")) / 1000
                if event == "moved" and line.startswith("data: "):
                    self.version = max(self.version, int(line.removeprefix("data: ")))
                event = line.removeprefix("event: ") if line.startswith("event: ") else ""
        finally:
            connection.close()
        self._stop.wait(again)

    def stop(self) -> None:
        self._stop.set()
        if self._connection is not None and self._connection.sock is not None:
            self._connection.sock.shutdown(2)
        super().stop()


def lines_of(answer: http.client.HTTPResponse) -> Iterator[str]:
    """Yield the lines of a stream until it ends or the connection breaks."""
    try:
        while line := answer.readline():
            yield line.decode().rstrip("\n")
    except (OSError, http.client.HTTPException):
        return


@contextmanager
def at_work(busy: Iterable[RequestThread]) -> Iterator[None]:
    """Start all threads, stop them at the end of the block, and assert that none has failed."""
    crowd = list(busy)
    for each in crowd:
        each.start()
    try:
        yield
    finally:
        for each in crowd:
            each.stop()
    require_no_failure(crowd)


def require_no_failure(busy: Iterable[RequestThread]) -> None:
    failures = [each.failure for each in busy if each.failure]
    assert not failures, failures


def wait_until(busy: Sequence[RequestThread], what: Callable[[], bool]) -> None:
    """Wait until a condition is met, while asserting that no thread has failed."""
    deadline = time.monotonic() + PATIENCE
    while not what():
        require_no_failure(busy)
        assert time.monotonic() < deadline, [(type(each).__name__, each.done) for each in busy]
        time.sleep(0.01)


def wait_for_more(busy: Sequence[RequestThread], count: int) -> None:
    """Wait until each of them has completed this many more repetitions."""
    goals = [each.done + count for each in busy]
    wait_until(busy, lambda: all(each.done >= goal for each, goal in zip(busy, goals, strict=True)))
