"""Simulated evenings at many shared tables: people join, play, go absent and return, while servers are restarted.

A person is a state that is stepped, not a thread, so a few threads run a hundred tables. A person pauses for seconds
between actions while the page keeps its event stream open, as in a browser. Each response is checked at once; requests
to a server that is being restarted are repeated.
"""

import http.client
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread

from tests.support.open_pages import OpenPage, OpenPages
from tests.support.player import Answer, Fields, OverHttp
from tests.support.table_players import TablePlayer

RULES = {"turn_clock": 20, "bet_clock": 20, "absent_after": 30}
THINKS = (2.0, 10.0)
"""Seconds that a person takes for anything."""
PATIENCE = 300
"""Seconds for which somebody asks again: a server that starts beside other work takes its time."""
EXPECTED = {200, 201, 204, 409, 422}
"""What a person may be told: done, too late, or not now. Anything else is a failure, but for a restart."""


class Person(TablePlayer):
    """A player at a shared table who repeats a request while the server is down."""

    def __init__(self, url: str, seed: int, page: OpenPage) -> None:
        super().__init__(url)
        self.line = self.browser = OverHttp(url, timeout=60)
        self.random, self.page = Random(seed), page
        self.busy_until, self.asleep = 0.0, False
        self.told: Counter[int] = Counter()

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = super()._ask(method, path, fields, headers)
                self.told[answer.status] += 1
                if answer.status != 503:
                    assert answer.status in EXPECTED, (method, path.split("/")[1], answer.status, answer.text[:300])
                    return answer
            except (OSError, http.client.HTTPException):
                self.told[0] += 1
            assert time.monotonic() < deadline, f"no answer for {PATIENCE} seconds"
            time.sleep(0.1)

    def live(self) -> None:
        """If the pause is over, look at the table and do one of the things that are possible."""
        if time.monotonic() < self.busy_until:
            return
        self.busy_until = time.monotonic() + self.random.uniform(*THINKS)
        self.see()
        if "actions" not in self.board:
            return
        if self.asleep:
            self.asleep = False
            self._show_page()
        if self.you is None:
            self._sit_or_watch()
        elif self.random.random() < 0.02:
            self.do("leave")
            self._show_page()
        elif self.random.random() < 0.02:
            self.busy_until = time.monotonic() + self.random.choice((25, 45, 90))  # past a clock, or until absent
            self.asleep = True
            self.page.hide()
        else:
            self._play()

    def _show_page(self) -> None:
        self.page.show(self.code, self.version, self.browser.cookies)

    def _sit_or_watch(self) -> None:
        taken = {seat["seat"] for seat in self.table["seats"]}
        free = [number for number in range(5) if number not in taken]
        if free and self.random.random() < 0.3:
            self.do("sit", self.random.choice(free))
            self._show_page()

    def _play(self) -> None:
        wanted = [verb for verb in ("ready", "bet", "stand", "hit", "double", "split") if verb in self.table["actions"]]
        if not wanted:
            return
        verb = self.random.choice(wanted)
        if verb == "bet":
            self.do("bet", self.random.choice(self.table["limits"] or [10]), cut="word")
        else:
            self.do(verb)


@dataclass
class Evening:
    """Tables on these servers, each with this many people."""

    urls: list[str]
    tables: int
    people: int = 4
    threads: int = 4
    failures: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.all: list[Person] = []
        self.pages, self._stop = OpenPages(), Event()
        for table in range(self.tables):
            urls = [self.urls[(table + n) % len(self.urls)] for n in range(self.people)]
            people = [Person(url, 1000 * table + n, self.pages.page(url)) for n, url in enumerate(urls)]
            code = people[0].open(**RULES)
            for person in people:
                person.come(code)
                person.asleep = True  # the page is opened at the first look
            self.all += people
        self._threads = [Thread(target=self._run, args=(number,)) for number in range(self.threads)]

    def __enter__(self) -> "Evening":
        self.pages.__enter__()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self.pages.__exit__()

    @property
    def told(self) -> Counter[int]:
        """Number of responses by status; 0 counts requests without a response."""
        return sum((person.told for person in self.all), Counter())

    def _run(self, number: int) -> None:
        mine = self.all[number :: self.threads]
        try:
            while not self._stop.is_set():
                for person in mine:
                    person.live()
                if self._stop.wait(0.05):
                    return
        except BaseException as error:
            self.failures.append(error)
            raise


def resident(process: int) -> int:
    """Return the private resident memory of a process in MB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) >> 10
