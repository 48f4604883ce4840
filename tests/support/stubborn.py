"""Players who ask again until there is an answer, as the page's script does, and remember what was acknowledged."""

import http.client
import time
from random import Random
from threading import Event, Thread

from tests.support.moves import TABLES, next_move, sealed, stakes_of
from tests.support.player import Answer, Fields, Json, OverHttp, Player

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

    def __init__(self, url: str, seed: int, patient: bool = False) -> None:
        """``patient``: an answer that asks for another try gets one."""
        super().__init__(url)
        self.patient = patient
        self.playing = list(TABLES)[seed % len(TABLES)]
        self.random = Random(seed)
        self.line = LossyLine(url, self.random)
        self.acknowledged: dict[str, Json] = {}
        self.purse = 0

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = super()._ask(method, path, fields, headers)
                if answer.status != 503 or not self.patient:
                    return answer
                assert int(answer.headers["retry-after"]) > 0 and answer.json["error"] == "unavailable"
            except (OSError, http.client.HTTPException):
                pass
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


class Crowd:
    """So many of them, each playing in a thread of its own."""

    def __init__(self, urls: list[str], players: int, patient: bool = False) -> None:
        self.people = [Stubborn(urls[seed % len(urls)], seed, patient) for seed in range(players)]
        self.failures: list[BaseException] = []
        self._stop = Event()
        self._threads = [Thread(target=self._play, args=(person,)) for person in self.people]

    def __enter__(self) -> "Crowd":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_progress(self, hands: int) -> None:
        """Until that many more hands have got somewhere."""
        wanted = self._hands() + hands
        deadline = time.monotonic() + 60
        while self._hands() < wanted:
            assert not self.failures
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def nothing_is_lost(self) -> None:
        assert not self.failures
        for person in self.people:
            nothing_is_lost(person)

    def _hands(self) -> int:
        return sum(len(person.acknowledged) for person in self.people)

    def _play(self, person: Stubborn) -> None:
        try:
            person.evening(self._stop)
        except BaseException as error:
            self.failures.append(error)
            raise


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
