"""When finished hands are reviewed: when they are looked at, or by the timer some time after their end.

- Opening a hand, or a daily deal that one has played, requests its review (``reviews.work_out``).
- Opening one's own statistics requests reviews of one's latest hands, as many as there is time for (``review_latest``).
- Other hands are reviewed after a minute (``Sweep``), so that the review is ready when they are opened. One process of
  an instance at a time does this, one hand after another, for a few seconds of each minute: requests of visitors never
  wait for long.
- ``tefuda review`` reviews all hands without a review (``batch``).

The first three are computed by the child process of ``worker``, which has one queue for all hands of the site.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from webapp.config import Config
from webapp.engine.errors import EngineError
from webapp.engine.odds.value import NoOdds
from webapp.services.core.clock import MINUTE, now_ms
from webapp.services.core.errors import Refusal
from webapp.services.odds.desk import Pending
from webapp.services.records.lookup import finished_hand
from webapp.services.review import unreviewed
from webapp.services.review.reviews import is_stored_soon, store_worked_out, work_out

SECONDS: Final = 0.8
"""Time for which one request works off the hands of whoever looks at their statistics."""
QUIET: Final = MINUTE
"""Time after which a hand is reviewed though nobody has asked: who plays on is not to be slowed down by it."""
AT_ONCE: Final = 50
"""Hands of one sweep at most."""
SWEEP_SECONDS: Final = 4.0
"""Time of one sweep. A review that takes longer goes on, and is fetched with the next one."""
MOST_GIVEN_UP: Final = 1000
"""Hands without a review that are remembered, so that they are not tried for ever."""


def review_latest(player: str) -> int:
    """Have the latest hands of a player reviewed, as many as there is time for. Return how many are left."""
    keys, deadline = unreviewed.of_player(player), time.monotonic() + SECONDS
    for place, key in enumerate(keys):
        try:
            with suppress(NoOdds):
                work_out(finished_hand(key), max(0.0, deadline - time.monotonic()))
        except Pending:
            return len(keys) - place
        except Refusal as error:
            if error.code != "hand-sealed":
                return 0  # the worker is busy or missing: try again later
    return sum(map(is_stored_soon, keys))


class Sweep:
    """The sweeps of one process."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._given_up: set[str] = set()

    def once(self) -> int:
        """Have hands reviewed that were finished a while ago, and return how many were."""
        count, deadline = 0, time.monotonic() + SWEEP_SECONDS
        with self._alone() as alone:
            for hand in self._next_hands() if alone else ():
                try:
                    work_out(finished_hand(hand.key, hand.player), max(0.0, deadline - time.monotonic()))
                    count += 1
                except Pending:
                    break
                except Refusal as error:
                    if error.code == "odds-later":
                        break
                    self._give_up(hand.key)
                except EngineError:
                    self._give_up(hand.key)
        store_worked_out()
        return count

    def _next_hands(self) -> tuple[unreviewed.Unreviewed, ...]:
        return unreviewed.of_lately(now_ms() - QUIET, AT_ONCE, frozenset(self._given_up))

    def _give_up(self, key: str) -> None:
        if len(self._given_up) >= MOST_GIVEN_UP:
            self._given_up.clear()
        self._given_up.add(key)

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
