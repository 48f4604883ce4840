"""The server is killed again and again while people play, and answers get lost: what was acknowledged stays."""

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from tests.support.app import KEY
from tests.support.moves import TABLES, next_move, sealed, stakes_of
from tests.support.player import Answer, Fields, Json, OverHttp, Player
from tests.support.server import Server, free_port

LOST = 0.1


class LossyLine(OverHttp):
    """A tenth of the answers never arrive, and neither do their cookies."""

    def __init__(self, url: str, random: Random) -> None:
        super().__init__(url, timeout=5)
        self.random = random

    def ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        kept = dict(self.cookies)
        answer = super().ask(method, path, fields, headers)
        if self.random.random() < LOST:
            self.cookies = kept
            raise ConnectionError("the answer was lost")
        return answer


class Stubborn(Player):
    """Asks again until there is an answer, as the page's script does; remembers what was acknowledged."""

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(url)
        self.playing = list(TABLES)[seed % len(TABLES)]
        self.random = Random(seed)
        self.line = LossyLine(url, self.random)
        self.acknowledged: dict[str, Json] = {}
        self.purse = 0

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        deadline = time.monotonic() + 60
        while True:
            try:
                return super()._ask(method, path, fields, headers)
            except (OSError, http.client.HTTPException):
                assert time.monotonic() < deadline, "no answer for a minute"
                time.sleep(0.02)

    def evening(self, stop: Event) -> None:
        while not stop.is_set():
            sealed(self, self.playing)
            assert self.status in (200, 201), self.answer.text
            while not self.over and not stop.is_set():
                if self.board["status"] == "ready":
                    self.deal("a-cut", stakes_of(self))
                    if self.status == 409:  # the cookie was lost with the answer: nothing was at stake
                        break
                else:
                    self.do(next_move(self.board, self.random))
                assert self.status == 200, self.answer.text
                self.remember()

    def remember(self) -> None:
        before = self.acknowledged.get(self.hand, {"step": 0})
        assert self.board["note"] in (None, "repeated"), "nobody else plays this hand"
        assert self.step >= before["step"]
        assert self.board["purse"] >= self.purse or self.board["stakes"]
        self.purse = self.board["purse"]
        self.acknowledged[self.hand] = self.board


def run(serving: Callable[..., Server], kills: int, players: int, progress: int) -> None:
    port = free_port()
    server = serving(port=port)
    people = [Stubborn(server.url, seed) for seed in range(players)]
    failures: list[BaseException] = []
    stop = Event()

    def play(person: Stubborn) -> None:
        try:
            person.evening(stop)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [Thread(target=play, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    try:
        for _ in range(kills):
            wait_for_progress(people, progress, failures)
            server.kill()
            server = serving(port=port)
        wait_for_progress(people, progress, failures)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not failures
    for person in people:
        nothing_is_lost(person)
    server.stop()
    assert audit(server.instance) == 0


def wait_for_progress(people: list[Stubborn], progress: int, failures: list[BaseException]) -> None:
    """Until that many more hands have got somewhere."""
    wanted = sum(len(person.acknowledged) for person in people) + progress
    deadline = time.monotonic() + 60
    while sum(len(person.acknowledged) for person in people) < wanted:
        assert not failures
        assert time.monotonic() < deadline
        time.sleep(0.005)


def nothing_is_lost(person: Stubborn) -> None:
    """Every hand stands where it was acknowledged to stand, or further."""
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


def audit(instance: Path) -> int:
    """Exit status of ``tefuda audit``."""
    command = [str(Path(sys.executable).with_name("tefuda")), "audit"]
    done = subprocess.run(
        command, env={**os.environ, "TEFUDA_INSTANCE": str(instance), "TEFUDA_SECRET_KEY": KEY}, capture_output=True, text=True
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    print(done.stdout)
    return done.returncode


def test_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    """A few here; two hundred with ``make soak``."""
    run(serving, kills=6, players=4, progress=4)


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_two_hundred_kills_under_load_lose_nothing_that_was_acknowledged(serving: Callable[..., Server]) -> None:
    run(serving, kills=200, players=16, progress=30)
