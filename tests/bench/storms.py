"""Many streams that are opened at once or never read, and the time of card actions of others meanwhile."""

import asyncio
import random
import statistics
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from tests.bench.crowd import Watcher, look_on
from tests.bench.goals import Goal
from tests.bench.processes import Running
from tests.bench.server import COURSES, Visitor
from tests.bench.storm import storm
from tests.bench.table import Row, show
from tests.bench.table_people import Table
from tests.bench.tables import open_room, opened
from tests.support.server import free_port, start_serving

UNREAD: Final = 5_000
BACK: Final = 2_000
PACE: Final = 0.2
"""Seconds between two hands of who plays meanwhile."""
SECONDS: Final = 20
GIVEN_BACK: Final = 65.0
"""Seconds within which a process gives free memory back to the system: it does so once a minute."""
NOBODY_READS: Final = f"{UNREAD} streams that nobody reads"
COME_BACK: Final = f"{BACK} streams come back after a restart"
GOALS: Final = (
    Goal(f"{UNREAD:,} unread streams: an action meanwhile", "ms", NOBODY_READS, "action ms", 100),
    Goal(f"{UNREAD:,} unread streams: kept of their memory", "MB", NOBODY_READS, "MB kept", 20),
    Goal(f"{UNREAD:,} unread streams again: kept beyond that", "MB", NOBODY_READS, "MB kept again", 20),
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
                await self._ask(visitor, visitor.sit())
                while True:
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


def measure(unread: int = UNREAD, back: int = BACK, seconds: float = SECONDS) -> list[Row]:
    rows = [
        asyncio.run(_nobody_reads(unread, seconds)),
        asyncio.run(_all_come_back(back)),
    ]
    for row in rows:
        show(str(row["storm"]), [row])
    return rows


@dataclass(frozen=True)
class _Storm:
    """Memory of the server in MB at each stage. ``ended``: number of streams that the server has closed."""

    before: float
    opened: float
    full: float
    closed: float
    after: float
    ended: int


async def _nobody_reads(count: int, seconds: float) -> Row:
    """Open streams of a table with a lot of moves and read nothing, twice.

    Memory that the first streams leave may be reused by the second ones; what those leave is growth.
    """
    with ExitStack() as stack:
        room = open_room(stack, count)
        (table,) = await opened([urlsplit(room.url).netloc], 1, 5, 0)
        followers = [asyncio.create_task(seat.listen()) for seat in table.seats]
        alone, with_them = Player(room.url), Player(room.url)
        await _play(alone, seconds / 2)
        first = await _unread_storm(room, table, with_them, count, seconds)
        moves = len(table.acted)
        again = await _unread_storm(room, table, with_them, count, seconds)
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)
    return {
        "storm": NOBODY_READS,
        "moves": moves,
        "action alone ms": alone.median,
        "action ms": with_them.median,
        "given up": first.ended,
        "KB each, opened": 1024 * (first.opened - first.before) / count,
        "KB each, unread": 1024 * (first.full - first.before) / count,
        "MB kept at once": first.closed - first.before,
        "MB kept": first.after - first.before,
        "MB kept again": again.after - first.after,
    }


async def _unread_storm(room: Running, table: Table, player: Player, count: int, seconds: float) -> _Storm:
    place = urlsplit(room.url)
    assert place.hostname
    before = room.memory[0]
    crowd = await look_on(place.hostname, place.port or 80, table.code, 1, count, reads=False)
    opened_at = room.memory[0]
    moving = asyncio.create_task(table.play(time.perf_counter() + seconds))
    await _play(player, seconds)
    await moving
    full = room.memory[0]
    ended = sum(one.ended.done() for one in crowd)
    for one in crowd:
        one.close()
    await asyncio.sleep(3)
    closed = room.memory[0]
    await asyncio.sleep(GIVEN_BACK)
    return _Storm(before, opened_at, full, closed, room.memory[0], ended)


async def _all_come_back(count: int) -> Row:
    """Replace a process by another one at the same port; its streams reconnect as browsers do."""
    with tempfile.TemporaryDirectory(prefix="tefuda-bench-") as folder:
        port = free_port()
        settings = {"TEFUDA_STREAMS": str(count + 100), "TEFUDA_LAB_WORKERS": "0"}
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


async def _play(player: Player, seconds: float) -> None:
    playing = asyncio.create_task(player.play())
    await asyncio.sleep(seconds)
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
