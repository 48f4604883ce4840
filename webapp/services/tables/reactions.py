"""Reactions: pictures that a seat shows to everybody at its table for a moment.

They are kept in memory only, for a short while. They are part of no round, and do not change the version of a table.
"""

import time
from collections import deque
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from cachetools import FIFOCache

KINDS: Final = ("applause", "wow", "laugh", "ouch", "thinking", "cheers")
SHOWN_SECONDS: Final = 8.0
"""Seconds for which a reaction is sent to pages that load: two polling intervals of a page without a stream."""
PACE: Final = 3.0
"""Minimum seconds between two reactions of the same seat or player."""
SPAN: Final = 60.0
MOST: Final = 10
"""Maximum reactions of a seat or a player within ``SPAN`` seconds."""
TABLES: Final = 1024
"""Maximum number of tables whose reactions are kept."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction of a seat.

    ``word``: random identifier, the same if the request is repeated. ``number``: counts the reactions of a process.
    """

    seat: int
    kind: str
    word: str
    player: str
    at: float
    number: int = 0


class Reactions:
    """The latest reactions at each table that one process knows of. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tables: FIFOCache[str, deque[Reaction]] = FIFOCache(TABLES)
        self._number = 0

    def send(self, code: str, seat: int, player: str, kind: str, word: str) -> tuple[Reaction, bool] | None:
        """Add a reaction; return None if the seat or its player has sent too many.

        Otherwise return the reaction, and True if it is new: a repeated request is not shown again.
        """
        now = time.monotonic()
        with self._lock:
            known = tuple(self._tables.get(code, ()))
            again = next((other for other in known if other.word == word), None)
            if again is not None:
                return again, False
            ages = [now - other.at for other in known if other.seat == seat or other.player == player]
            if any(age < PACE for age in ages) or sum(age < SPAN for age in ages) >= MOST:
                return None
            return self._add(code, Reaction(seat, kind, word, player, now)), True

    def receive(self, code: str, seat: int, kind: str, word: str, player: str) -> None:
        """Add a reaction that another process has accepted."""
        with self._lock:
            self._add(code, Reaction(seat, kind, word, player, time.monotonic()))

    def recent(self, code: str, after: int = 0) -> tuple[Reaction, ...]:
        """Return the reactions at a table that are shown now and have a number greater than ``after``."""
        since = time.monotonic() - SHOWN_SECONDS
        with self._lock:
            known = self._tables.get(code)
            if not known:  # called by each stream whenever it is woken
                return ()
            return tuple(reaction for reaction in known if reaction.number > after and reaction.at > since)

    def _add(self, code: str, reaction: Reaction) -> Reaction:
        self._number += 1
        numbered = replace(reaction, number=self._number)
        known = self._tables.get(code) or deque()
        known.append(numbered)
        while known[0].at < reaction.at - SPAN:
            known.popleft()
        self._tables[code] = known
        return numbered
