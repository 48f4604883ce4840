"""The odds desk: questions about odds, their answers, and the limits to both.

The site's process computes nothing itself, since whatever computes would hold up every card action; it never imports
NumPy for it. See ``calculator`` for the processes that do, and docs/decisions/0024.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from webapp.config import Config
from webapp.engine.errors import EngineError, SetupError
from webapp.engine.games import GAMES
from webapp.engine.odds.question import ImpossibleSpot
from webapp.engine.odds.value import NoOdds
from webapp.services.core import context
from webapp.services.core.errors import Refusal
from webapp.services.odds.children import Answerer, Builds
from webapp.services.odds.store import is_quick, is_simulated

Answer = dict[str, Any]

MOST_KEPT: Final = 1000
"""Answers that are remembered, as text: some kilobytes each."""
QUEUE: Final = 16
"""Questions that are answered or wait for it. Whoever comes then is asked to come back."""
WAITING: Final = 6
"""Requests that wait for tables of one lane. Whoever comes then looks again later: tables are built all the same."""
TURN_SECONDS: Final = 8.0
"""Longest wait for a question's turn."""
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
    return context.current().get(Desk, Desk).ask(about, asked, patience)


def prepare(code: str, table: str) -> None:
    """Start the process that answers questions and the building of a table's odds, before the first question."""
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
    """The desk of one app."""

    def __init__(self, config: Config) -> None:
        self.answerer = Answerer(config)
        self._quick, self._long = Builds(config, "build-quick"), Builds(config, "build-long")
        self._simulated = Builds(config, "build-simulated")
        self._waiting = {lane: threading.BoundedSemaphore(WAITING) for lane in (self._quick, self._simulated)}
        self._places, self._turn = threading.BoundedSemaphore(QUEUE), threading.Lock()
        self._kept: OrderedDict[str, str] = OrderedDict()

    def ask(self, about: str, asked: Mapping[str, str], patience: float) -> Answer:
        """Return the answer to a question: as the function ``ask`` of this module."""
        line = json.dumps({"about": about, **{name: text for name, text in asked.items() if text}}, sort_keys=True)
        kept = self._kept.get(line)
        if kept is not None:
            return _understood(kept)
        return self._answered(line, patience)

    def stop(self) -> None:
        """End all processes of the desk."""
        with self._turn:
            self.answerer.stop()
        for builds in (self._quick, self._long, self._simulated):
            builds.stop()

    def _answered(self, line: str, patience: float) -> Answer:
        found: Answer = json.loads(self._in_place(line))
        if "missing" in found and self._built(found["missing"], line, patience):
            found = json.loads(self._in_place(line))
        if "missing" in found and "value" not in found:
            raise Pending
        return _checked(found)

    def _built(self, name: str, line: str, patience: float) -> bool:
        """Have tables built, and wait for them, but not for those that take a minute.

        No place of a question is held meanwhile, nor one of another lane.
        """
        builds = self._quick if is_quick(name) else self._simulated if is_simulated(name) else self._long
        builds.want(name, line)
        places = self._waiting.get(builds)
        if places is None or not places.acquire(blocking=False):
            return False
        try:
            return builds.wait(name, line, patience)
        finally:
            places.release()

    def _in_place(self, line: str) -> str:
        """Return the answer to a question, if not too many others are asked."""
        if not self._places.acquire(blocking=False):
            raise Refusal("odds-later")
        try:
            return self._from_process(line)
        finally:
            self._places.release()

    def _from_process(self, line: str) -> str:
        """Return the answer to a question whose turn it is; the same question may have been asked meanwhile."""
        if not self._turn.acquire(timeout=TURN_SECONDS):
            raise Refusal("odds-later")
        try:
            kept = self._kept.get(line)
            if kept is None:
                kept = self.answerer.ask(line)
                if '"missing"' not in kept:
                    self._keep(line, kept)
            return kept
        finally:
            self._turn.release()

    def _keep(self, line: str, text: str) -> None:
        """Cache an answer, and drop the oldest. The caller holds the lock."""
        self._kept[line] = text
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


def _understood(text: str) -> Answer:
    return _checked(json.loads(text))


def _checked(found: Answer) -> Answer:
    code = found.get("error")
    if code == ImpossibleSpot.code:
        raise ImpossibleSpot(found["reason"], found["text"], **found["values"])
    if code == NoOdds.code:
        raise NoOdds(found["text"])
    if code:
        raise SetupError(found["text"])
    return found
