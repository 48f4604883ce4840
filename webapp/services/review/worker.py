"""Reviews that are being worked out by processes of the site (see ``schedule``).

Requests do not wait for a review: the page asks again later. Tables of several exchanges, which take a minute, are
long tasks of their own, so that other hands are reviewed meanwhile.
"""

import json
import threading
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, Final

import structlog
from cachetools import FIFOCache

from webapp.config import Config
from webapp.services.core.errors import Refusal
from webapp.services.odds.answer_task import answered
from webapp.services.odds.store import FOLDER
from webapp.services.workers import FAILURES, Full, Pool

log = structlog.get_logger()

MOST_KEPT: Final = 200
"""Reviews that are worked out, or were and are not stored yet."""
MOST_FAILED: Final = 5000
"""Hands without a review that are remembered, so that they are not tried for ever."""
REVIEW_SECONDS: Final = 120.0
"""Processor time that a review may take."""
TABLES_SECONDS: Final = 900.0
"""The same if tables are built for it that take long."""

Answer = dict[str, Any]


class ReviewWorker:
    """The reviews of one app that are on their way."""

    def __init__(self, config: Config, pool: Pool) -> None:
        self._config, self._pool = config, pool
        self._lock = threading.Lock()
        self._reviews: FIFOCache[str, Future[str]] = FIFOCache(MOST_KEPT)
        self._failed: FIFOCache[str, Answer] = FIFOCache(MOST_FAILED)

    def ask(self, key: str, line: str, seconds: float) -> Answer | None:
        """Return the answer about a hand, None if it takes longer than ``seconds``. It may have an ``error``.

        Raises:
            Refusal: ``odds-later``: too many hands are waiting. ``odds-not-here``: this process computes no reviews.
        """
        if self._config.lab_workers == 0:
            raise Refusal("odds-not-here")
        if key in self._failed:
            return self._failed[key]
        try:
            answer: Answer = json.loads(self._review(key, line).result(seconds))
            if "missing" in answer:
                answer = json.loads(self._review(key, line, after_tables=True).result(0))
        except TimeoutError:
            return None
        except CancelledError:  # the site ends
            self._reviews.pop(key, None)
            return None
        except FAILURES as error:
            log.warning("review-not-worked-out", key=key, error=type(error).__name__, reason=str(error))
            answer = {"error": "no-odds", "text": "this hand cannot be reviewed"}
        if "error" in answer:
            self._fail(key, answer)
        return answer

    def _review(self, key: str, line: str, after_tables: bool = False) -> Future[str]:
        """Return the review of a hand that is on its way, or have it worked out."""
        with self._lock:
            known = self._reviews.get(key)
            if known is not None and not (after_tables and _lacks_tables(known)):
                return known
            builds, seconds = ("any", TABLES_SECONDS) if after_tables else ("quick", REVIEW_SECONDS)
            task = partial(answered, json.dumps({"about": "review", "line": line}), self._folder, builds)
            try:
                found = self._reviews[key] = self._pool.ask(task, seconds, is_long=after_tables)
            except Full:
                raise Refusal("odds-later") from None
            return found

    @property
    def _folder(self) -> str:
        return str(self._config.instance / FOLDER)

    def _fail(self, key: str, answer: Answer) -> None:
        with self._lock:
            self._reviews.pop(key, None)
            self._failed[key] = answer


def _lacks_tables(review: Future[str]) -> bool:
    return review.done() and "missing" in json.loads(review.result())
