"""A page that follows a shared table by an event stream, and how it is woken when there is something new."""

import asyncio
from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

Ending = Literal["again", "full", "gone"]
"""Why a stream has ended: its page is to come back, it has enough streams and is to poll, or it has left itself."""


@dataclass(eq=False, slots=True)
class Follower:
    """A page that follows a table by an event stream. One event loop sends the stream; any thread may wake it.

    code: Code of the table.
    player: The player of the page; empty for a visitor who is none.
    watcher: Player or address by which a viewer without a seat is counted; empty for one with a seat.
    page: Viewer and random word of the page; empty if unknown. Its earlier stream is ended.
    opened: When the page of a player with a seat was made, in ms; 0 if unknown.
    address: Key of the address of the page.
    look: What the view of a watcher depends on; None for one with a seat.
    limits: Names by which the stream is counted, each with its maximum number of streams.
    """

    code: str
    player: str = ""
    watcher: str = ""
    page: str = ""
    opened: int = 0
    address: str = ""
    look: Hashable = None
    limits: tuple[tuple[str, int], ...] = ()
    version: int = field(default=0, init=False)
    """The latest version of the table that was published."""
    ending: Ending | None = field(default=None, init=False)
    loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    """The event loop that sends the stream; None until it begins."""
    _news: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    is_waiting: bool = field(default=False, init=False)
    """It waits for news, and sends nothing just now."""
    after: "list[Follower]" = field(default_factory=list, init=False, repr=False)
    """Others with the same view, which are woken when this one has it."""

    def begin(self) -> None:
        """Have the current event loop woken from now on. What is new is to be looked at afterwards."""
        self.loop = asyncio.get_running_loop()

    async def news(self) -> None:
        """Wait until there may be something new."""
        self.is_waiting = True
        await self._news.wait()
        self.is_waiting = False
        self._news.clear()

    def wake(self) -> None:
        """Have the stream look at what is new. Called in its event loop."""
        self._news.set()

    def pass_on(self) -> None:
        """Wake those who wait for the view that this one has now, or will not have. Called in the event loop."""
        after, self.after = self.after, []
        for each in after:
            each.wake()


def wake_all(followers: Iterable[Follower], in_turn: bool = False) -> None:
    """Wake followers, those with a seat first, with one call to each event loop.

    ``in_turn``: of those with the same view one is woken first, and the others when it has been rendered.
    """
    by_loop: dict[asyncio.AbstractEventLoop, list[Follower]] = {}
    for each in followers:
        if each.loop is not None:
            by_loop.setdefault(each.loop, []).append(each)
    for loop, woken in by_loop.items():
        woken.sort(key=lambda each: bool(each.watcher))
        with suppress(RuntimeError):  # the loop is closed: the process is shutting down
            loop.call_soon_threadsafe(_wake_here, woken, in_turn)


def _wake_here(followers: list[Follower], in_turn: bool) -> None:
    first = dict[Hashable, Follower]()
    for each in followers:
        leader = first.setdefault(each.look, each) if in_turn and each.look is not None and each.is_waiting else each
        if leader is each:
            each.wake()
        else:
            leader.after.append(each)
