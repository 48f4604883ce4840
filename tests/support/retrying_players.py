"""Players who repeat each request until it is answered, as the page's script does, and record what was acknowledged."""

import http.client
import time
from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from threading import Event, Thread
from urllib.parse import urlsplit

from flask import Flask

from tests.support.moves import TABLES, next_move, sealed, stakes_of
from tests.support.player import Answer, Fields, Json, OverHttp, Player
from tests.support.rows import all_rows

LOST = 0.1
AGAIN = 0.02
"""Seconds until somebody whose request got no answer sends it again."""


class LossyLine(OverHttp):
    """A connection that loses a tenth of the responses, cookies included.

    If an address does not respond, the next request goes to the next one, as behind a proxy.
    """

    def __init__(self, urls: Sequence[str], random: Random, lost: float = LOST) -> None:
        super().__init__(urls[0], timeout=5)
        self.addresses = [urlsplit(url).netloc for url in urls]
        self.random, self.lost = random, lost

    def ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        kept = dict(self.cookies)
        try:
            answer = super().ask(method, path, fields, headers)
        except (OSError, http.client.HTTPException):
            place = self.addresses.index(self.address) + 1
            self.address = self.addresses[place % len(self.addresses)]
            raise
        if self.random.random() < self.lost:
            self.cookies = kept
            raise ConnectionError("the answer was lost")
        return answer


class RetryingPlayer(Player):
    """A player who repeats a request until it is answered, and pauses between actions.

    ``patient``: repeats on 503, too. ``pace``: seconds from one action to the next. ``acted``: when each action was
    acknowledged. ``tries``: how often the last request was sent.
    """

    def __init__(self, urls: Sequence[str], seed: int, patient: bool = False, pace: float = 0) -> None:
        super().__init__(urls[0])
        self.patient, self.pace, self.random = patient, pace, Random(seed)
        self.line: LossyLine = LossyLine(urls, self.random)
        self.acted: list[float] = []
        self.tries = 0
        self._acts_at = time.monotonic() + self.random.random() * pace

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        deadline, self.tries = time.monotonic() + 60, 0
        while True:
            self.tries += 1
            try:
                answer = super()._ask(method, path, fields, headers)
                if answer.status != 503 or not self.patient:
                    return answer
                assert int(answer.headers["retry-after"]) > 0 and answer.json["error"] == "unavailable"
            except (OSError, http.client.HTTPException):
                pass
            assert time.monotonic() < deadline, "no answer for a minute"
            time.sleep(max(AGAIN, min(self.pace, 0.2)))

    def wait_for_pace(self) -> None:
        """Wait until it is time for the next action."""
        now = time.monotonic()
        if self._acts_at > now:
            time.sleep(self._acts_at - now)
        self._acts_at = max(now, self._acts_at) + self.pace

    def play_until(self, stop: Event) -> None:
        """Play until told to stop."""
        raise NotImplementedError


class RetryingSoloPlayer(RetryingPlayer):
    """A solo player. ``acknowledged``: the last board of each hand. ``moves``: acknowledged moves by hand and step."""

    def __init__(self, urls: Sequence[str], seed: int, patient: bool = False, pace: float = 0) -> None:
        super().__init__(urls, seed, patient, pace)
        self.playing = list(TABLES)[seed % len(TABLES)]
        self.acknowledged: dict[str, Json] = {}
        self.moves: dict[str, dict[int, str]] = {}
        self.purse = 0

    def play_until(self, stop: Event) -> None:
        while not stop.is_set():
            sealed(self, self.playing)
            assert self.status in (200, 201), self.answer.text
            while not self.over and not stop.is_set():
                self.wait_for_pace()
                step, move = self.step, ""
                if self.board["status"] == "ready":
                    self.deal("a-cut", stakes_of(self))
                    if self.status == 409:  # the cookie was lost with the answer: nothing was at stake
                        break
                else:
                    move = next_move(self.board, self.random)
                    self.do(move)
                assert self.status == 200, self.answer.text
                self.remember(step, move)

    def remember(self, step: int, move: str) -> None:
        before = self.acknowledged.get(self.hand, {"step": 0})
        assert self.board["note"] in (None, "repeated"), "nobody else plays this hand"
        assert self.step >= before["step"]
        assert self.board["purse"] >= self.purse or self.board["stakes"]
        self.purse = self.board["purse"]
        self.acknowledged[self.hand] = self.board
        self.moves.setdefault(self.hand, {})
        if move:
            self.moves[self.hand][step] = move
        self.acted.append(time.monotonic())


class PlayerThreads:
    """Runs each of these players in a thread."""

    def __init__(self, people: Sequence[RetryingPlayer]) -> None:
        self.people = people
        self.failures: list[BaseException] = []
        self._stop = Event()
        self._threads = [Thread(target=self._play, args=(person,)) for person in people]

    def __enter__(self) -> "PlayerThreads":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_progress(self, actions: int) -> None:
        """Wait until this many more actions have been acknowledged."""
        wanted = self._progress() + actions
        deadline = time.monotonic() + 60
        while self._progress() < wanted:
            self.require_no_failure()
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def acted_between(self, begin: float, end: float) -> int:
        """Return the number of actions that were acknowledged in this interval."""
        self.require_no_failure()
        return sum(bisect_left(person.acted, end) - bisect_left(person.acted, begin) for person in self.people)

    def require_no_failure(self) -> None:
        assert not self.failures, self.failures

    def _progress(self) -> int:
        return sum(len(person.acted) for person in self.people)

    def _play(self, person: RetryingPlayer) -> None:
        try:
            person.play_until(self._stop)
        except BaseException as error:
            self.failures.append(error)
            raise


def solo_players(urls: Sequence[str], players: int, patient: bool = False) -> list[RetryingSoloPlayer]:
    """Return solo players, spread over these addresses."""
    return [RetryingSoloPlayer([urls[seed % len(urls)]], seed, patient) for seed in range(players)]


def require_nothing_lost(person: RetryingSoloPlayer) -> None:
    """Assert that no hand is behind its acknowledged state."""
    for key, board in person.acknowledged.items():
        said = person.get(f"/play/{person.playing}?hand={key}")
        assert said.status == 200
        now = said.json
        assert now["step"] >= board["step"]
        if board["status"] == "done":
            assert (now["status"], now["result"], now["view"]) == ("done", board["result"], board["view"])
            assert person.get(board["url"]).status == 200
    assert person.look(person.playing)["purse"] >= person.purse or person.playing != "poker"
    assert len({board["seq"] for board in person.acknowledged.values()}) == len(person.acknowledged)


def require_moves_stored(app: Flask, people: Sequence[RetryingSoloPlayer]) -> int:
    """Assert that the database contains each acknowledged deal and move; return their number."""
    stored = {row[0]: row[1:] for row in all_rows(app, "SELECT key, status, cut, stakes, moves FROM hand")}
    for person in people:
        for key, moves in person.moves.items():
            status, cut, stakes, words = stored[key]
            board = person.acknowledged[key]
            assert cut and stakes == ",".join(map(str, board["stakes"])), key
            assert status == "done" or board["status"] != "done", key
            there = words.split()
            assert {step: there[step] for step in moves} == moves, key
    return sum(1 + len(moves) for person in people for moves in person.moves.values())
