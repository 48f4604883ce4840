"""Reviews that nobody has asked for: the housekeeping has hands reviewed that were finished a while ago.

Whoever opens a hand, or their own page, finds its review there. One process of an instance does it at a time, one hand
after the other and a few seconds of each minute, so that there is always room in the queue for people who wait.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending
from webapp.services.records.lookup import finished_hand
from webapp.services.review.due import Due, due
from webapp.services.review.reviews import work_out

AT_ONCE: Final = 50
"""Hands of one look at most."""
SECONDS: Final = 4.0
"""Time of one look. A review that takes longer goes on, and is fetched with the next look."""
MOST_GIVEN_UP: Final = 1000
"""Hands without a review that are remembered, so that they are not tried for ever."""


class Sweep:
    """The looks of one process."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._given_up: set[str] = set()

    def once(self) -> int:
        """Have hands reviewed that are due, and return how many were."""
        count, deadline = 0, time.monotonic() + SECONDS
        with self._alone() as alone:
            for each in due(AT_ONCE, frozenset(self._given_up)) if alone else ():
                try:
                    work_out(finished_hand(each.key, each.player), max(0.0, deadline - time.monotonic()))
                    count += 1
                except Pending:
                    break
                except Refusal as error:
                    if error.code == "odds-later":
                        break
                    self._give_up(each)
                except EngineError:
                    self._give_up(each)
        return count

    def _give_up(self, each: Due) -> None:
        if len(self._given_up) >= MOST_GIVEN_UP:
            self._given_up.clear()
        self._given_up.add(each.key)

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """Yield whether reviews are worked out here, and no other process of the instance has it done just now."""
        if not self._config.lab_workers:
            yield False
            return
        with (self._config.instance / ".reviews").open("a") as lock:
            alone = False
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                alone = True
            yield alone
