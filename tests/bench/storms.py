"""Many streams that come back at once after a restart, and the time of card actions of others meanwhile."""

import asyncio
import random
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.bench.crowd import Watcher, look_on
from tests.bench.goals import Goal
from tests.bench.processes import Running
from tests.bench.server import COURSES, Visitor
from tests.bench.storm import storm
from tests.bench.table import Row, show
from tests.bench.tables import opened
from tests.support.server import free_port, start_serving

BACK: Final = 2_000
PACE: Final = 0.2
"""Seconds between two hands of who plays meanwhile."""
COME_BACK: Final = f"{BACK} streams come back after a restart"
GOALS: Final = (
    Goal(f"{BACK:,} streams come back: the last of them", "s", COME_BACK, "s", 10),
    Goal(f"{BACK:,} streams come back: error pages", "", COME_BACK, "refused", 0),
    Goal(f"{BACK:,} streams come back: an action meanwhile", "ms", COME_BACK, "action ms", 100),
)


class Player:
    """A solo player who plays hand after hand. ``taken``: the seconds of each action."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.taken: list[float] = []
        self.lost = 0

    async def play(self) -> None:
        """Play until cancelled. Broken connections are counted, and the player sits down again."""
        while True:
            visitor = Visitor(COURSES[0])
            try:
                while True:
                    await self._ask(visitor, visitor.sit())
                    self.taken.append(await self._ask(visitor, visitor.deal()))
                    for _, verb, sent in visitor.course.moves:
                        if visitor.may(verb):
                            self.taken.append(await self._ask(visitor, visitor.move(verb, sent)))
                    await asyncio.sleep(PACE)
            except (OSError, TimeoutError):
                self.lost += 1
                await asyncio.sleep(PACE)

    async def _ask(self, visitor: Visitor, request: bytes) -> float:
        _, (answer,) = await asyncio.to_thread(storm, self.url, [request], 1)
        visitor.hear(answer)
        return answer.seconds

    @property
    def median(self) -> float:
        """Median milliseconds of an action."""
        return 1000 * statistics.median(self.taken) if self.taken else 0.0


def measure(back: int = BACK) -> list[Row]:
    row = asyncio.run(_all_come_back(back))
    show(COME_BACK, [row])
    return [row]


async def _all_come_back(count: int) -> Row:
    """Replace a process by another one at the same port; its streams reconnect as browsers do."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        port = free_port()
        settings = {"TEFUDA_LAB_WORKERS": "0"}
        server = start_serving(Path(folder), port, **settings)
        try:
            (table,) = await opened([f"127.0.0.1:{port}"], 1, 5, 0)
            crowd = await look_on("127.0.0.1", port, table.code, 1, count)
            returns = [asyncio.create_task(_return(one, port)) for one in crowd]
            player = Player(server.url)
            playing = asyncio.create_task(player.play())
            await asyncio.to_thread(server.stop)
            server = await asyncio.to_thread(start_serving, Path(folder), port, **settings)
            ready, player.taken = time.perf_counter(), []
            tries = await asyncio.gather(*returns)
            last = time.perf_counter() - ready
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
            cpu = Running(server.url, server.process.pid).cpu
        finally:
            server.stop()
    return {
        "storm": COME_BACK,
        "s": last,
        "refused": sum(refused for _, refused in tries),
        "tries": sum(tried for tried, _ in tries) / count,
        "action ms": player.median,
        "cpu s": cpu,
    }


async def _return(one: Watcher, port: int) -> tuple[int, int]:
    """Wait for the end of a stream and reconnect until it is open.

    Return the number of tries, and of error responses.
    """
    await one.ended
    wait, tries, refused = one.retry, 0, 0
    while True:
        await asyncio.sleep(wait)
        tries += 1
        again = Watcher(one.code, one.version)
        try:
            await again.connect("127.0.0.1", port)
        except OSError:  # the server is not listening yet
            wait = random.uniform(1, 3)
            continue
        if await again.opened:
            return tries, refused
        refused += again.was_refused
        wait = random.uniform(1, 3)
