"""The odds desk: questions about odds, and their answers.

The site's process computes nothing itself, since whatever computes would hold up every card action; it never imports
NumPy for it. Answers come from ``workers``: those whose tables are there soon, tables themselves later.
"""

import json
import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, Final

import structlog
from cachetools import FIFOCache
from flask import current_app

from webapp.config import Config
from webapp.engine.errors import EngineError, SetupError
from webapp.engine.games import GAMES
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import NoOdds
from webapp.services.core.errors import Refusal
from webapp.services.odds.answer_task import answered
from webapp.services.odds.store import FOLDER, is_quick, is_simulated
from webapp.services.workers import FAILURES, Full, Pool, Workers

log = structlog.get_logger()

Answer = dict[str, Any]

MOST_KEPT: Final = 1000
"""Answers that are remembered, as text: some kilobytes each."""
ANSWER_SECONDS: Final = 5.0
"""Processor time that one answer may take."""
BUILD_SECONDS: Final = 900.0
"""Processor time that the tables of one question may take: those of three exchanges a minute."""
WAITING: Final = 6
"""Requests that wait for tables. Whoever comes then looks again later: tables are built all the same."""
TURN_SECONDS: Final = 15.0
"""Longest wait for an answer."""
WAIT_SECONDS: Final = 2.5
"""Seconds for which the first answer may wait for its tables: those of one exchange take less."""


class Pending(Exception):
    """The answer is being worked out."""


def ask(about: str, asked: Mapping[str, str], patience: float = WAIT_SECONDS) -> Answer:
    """Return the answer to a question, as ``answers`` describes it.

    Raises:
        ImpossibleSpot: the decision cannot be.
        NoOdds: the game has no odds.
        SetupError: there is no such table.
        Pending: tables are being built for it.
        Refusal: ``odds-later``, ``odds-not-here``.
    """
    desk: Desk = current_app.extensions["odds_desk"]
    return desk.ask(about, asked, patience)


def prepare(code: str, table: str) -> None:
    """Have the tables of a table's odds built before the first question."""
    with suppress(EngineError, Refusal, Pending):
        ask("ready", {"game": code, "table": table}, patience=0)


def has_odds(code: str) -> bool:
    """Return True if the decisions of a game can be priced here."""
    return code in GAMES and GAMES[code].spec.odds is not None and _has_numpy()


@cache
def _has_numpy() -> bool:
    """Return True if NumPy is installed. Each page asks, and to look for it costs seven calls of the system."""
    return find_spec("numpy") is not None


class Desk:
    """The desk of one app.

    Args:
        config: Settings of the site.
        workers: Processes that compute.
    """

    def __init__(self, config: Config, workers: Workers) -> None:
        self._folder = str(config.instance / FOLDER)
        self._builds_here = config.lab_workers > 0
        self._workers = workers
        self._lock = threading.Lock()
        self._kept: FIFOCache[str, str] = FIFOCache(MOST_KEPT)
        self._asked: dict[str, Future[str]] = {}
        """Answers on their way, by the question."""
        self._built: dict[str, Future[str]] = {}
        """Tables that are being built, by their name and by the question."""
        self._unbuilt: FIFOCache[str, str] = FIFOCache(MOST_KEPT)
        """Names of tables that cannot be built here."""
        self._waiting = threading.BoundedSemaphore(WAITING)

    def ask(self, about: str, asked: Mapping[str, str], patience: float) -> Answer:
        """Return the answer to a question: as the function ``ask`` of this module."""
        line = json.dumps({"about": about, **{name: text for name, text in asked.items() if text}}, sort_keys=True)
        found = self._answer(line)
        if "missing" in found and self._build(found["missing"], line, patience):
            found = self._answer(line)
        if "missing" in found and "value" not in found:
            raise Pending
        return _checked(found)

    def _answer(self, line: str) -> Answer:
        """Return the answer from the tables that are there; the same question is computed once."""
        kept = self._kept.get(line)
        found: Answer = json.loads(self._computed(line) if kept is None else kept)
        return found

    def _computed(self, line: str) -> str:
        future = self._shared(self._asked, (line,), self._workers.soon, "none", ANSWER_SECONDS)
        try:
            return future.result(TURN_SECONDS)
        except TimeoutError:
            future.cancel()
            raise Refusal("odds-later") from None
        except FAILURES as error:
            log.warning("odds-not-answered", error=type(error).__name__, reason=str(error))
            raise Refusal("odds-later") from None

    def _build(self, name: str, line: str, patience: float) -> bool:
        """Have the tables of a question built, of which the first that is missing has this name.

        Wait for those that take seconds, if not too many do so, and return True if they are there.
        """
        if not self._builds_here or name in self._unbuilt:
            raise Refusal("odds-not-here")
        kind = "quick" if is_quick(name) else "simulated" if is_simulated(name) else "any"
        future = self._shared(self._built, (name, line), self._workers.later, kind, BUILD_SECONDS, kind != "quick")
        if kind == "any" or not self._waiting.acquire(blocking=False):
            return False
        try:
            return "missing" not in json.loads(future.result(patience))
        except TimeoutError:
            return False
        except FAILURES:
            return False
        finally:
            self._waiting.release()

    def _shared(
        self,
        on_their_way: dict[str, Future[str]],
        keys: tuple[str, ...],
        pool: Pool,
        builds: str,
        seconds: float,
        is_long: bool = False,
    ) -> Future[str]:
        """Return what is computed for these keys already, or have it computed for the last of them, the question."""
        with self._lock:
            known = next((on_their_way[key] for key in keys if key in on_their_way), None)
            if known is not None:
                return known
            try:
                future = pool.ask(partial(answered, keys[-1], self._folder, builds), seconds, is_long=is_long)
            except Full:
                raise Refusal("odds-later") from None
            on_their_way.update(dict.fromkeys(keys, future))
        future.add_done_callback(partial(self._arrived, on_their_way, keys))
        return future

    def _arrived(self, on_their_way: dict[str, Future[str]], keys: tuple[str, ...], future: Future[str]) -> None:
        with self._lock:
            for key in keys:
                on_their_way.pop(key, None)
        if future.cancelled():
            return
        if on_their_way is self._built:
            self._note_build(keys[0], keys[-1], future)
        elif future.exception() is None and '"missing"' not in future.result():
            self._keep(self._kept, keys[-1], future.result())

    def _note_build(self, name: str, line: str, future: Future[str]) -> None:
        """Remember tables that cannot be built, and a question that turns out to make no sense."""
        error = future.exception()
        if isinstance(error, CancelledError):  # the site ends
            return
        if error is not None:
            log.warning("odds-not-built", error=type(error).__name__, reason=str(error))
            self._keep(self._unbuilt, name, "")
        elif (code := json.loads(future.result()).get("error")) == ImpossibleSpot.code:
            self._keep(self._kept, line, future.result())
        elif code:
            self._keep(self._unbuilt, name, "")

    def _keep(self, kept: FIFOCache[str, str], key: str, text: str) -> None:
        with self._lock:
            kept[key] = text


def _checked(found: Answer) -> Answer:
    code = found.get("error")
    if code == ImpossibleSpot.code:
        raise ImpossibleSpot(found["reason"], found["text"], **found["values"])
    if code == NoOdds.code:
        raise NoOdds(found["text"])
    if code:
        raise SetupError(found["text"])
    return found
