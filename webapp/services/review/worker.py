"""The queue of hands to review, and the child process of the site that reviews them (see ``schedule``).

Requests do not wait for a review: each one keeps the queue running, and the page asks again later. A process of the
lowest priority reviews one hand after another, builds the tables that it needs, and ends after some time without
requests.
"""

import json
import os
import subprocess
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from weakref import finalize

import structlog

from webapp.config import Config
from webapp.services.core.errors import Refusal
from webapp.services.odds.children import end_process, is_readable, start_process

log = structlog.get_logger()

QUEUE: Final = 64
"""Hands that wait for their review. Whoever comes then is asked to come back."""
MOST_KEPT: Final = 64
"""Reviews that are worked out and not fetched yet, and hands that have none."""
REVIEW_SECONDS: Final = 300.0
"""Longest time of one review: tables of several exchanges take a minute, at the lowest priority more."""
PIECE: Final = 1 << 16
TRIES: Final = 2
"""Processes that may be lost over one hand, one killed from outside among them, before the hand is given up."""

Answer = dict[str, Any]


class ReviewWorker:
    """The queue and the process of one app."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, str] = OrderedDict()
        """Lines of notation by the key of the hand. The first one has been asked for, if there is a process."""
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = _nothing
        self._read = b""
        self._lost = 0
        """Processes that ended over the first of the queue."""
        self._began: float | None = None
        """When the first of the queue was asked for; None if it was not yet."""

    def ask(self, key: str, line: str, seconds: float) -> Answer | None:
        """Return the answer about a hand, None if it takes longer than ``seconds``. It may have an ``error``.

        Raises:
            Refusal: ``odds-later``: too many hands are waiting. ``odds-not-here``: this process computes no reviews.
        """
        if self._config.lab_workers == 0:
            raise Refusal("odds-not-here")
        deadline = time.monotonic() + seconds
        while True:
            with self._lock:
                self._advance()
                if key in self._answers:
                    return self._answers[key]
                if key not in self._waiting:
                    if len(self._waiting) >= QUEUE:
                        raise Refusal("odds-later")
                    self._waiting[key] = line
                    self._advance()
                pipe = self._process.stdout if self._process else None
            left = deadline - time.monotonic()
            if left <= 0 or pipe is None:
                return None
            with suppress(OSError, ValueError):  # another request has closed it
                is_readable(pipe, min(left, 0.25))

    def stop(self) -> None:
        """End the process, and forget what waits."""
        with self._lock:
            self._stop()
            self._waiting.clear()
            self._answers.clear()

    @property
    def waiting(self) -> int:
        """Hands that wait for their review."""
        return len(self._waiting)

    def _advance(self) -> None:
        """Take what the process has written, and ask it for the next hand."""
        if self._began is not None:
            self._receive()
        if self._waiting and self._began is None:
            if self._process is None or self._process.poll() is not None:
                self._stop()
                self._process = process = start_process(self._config, "review")
                self._end = finalize(self, end_process, process)
            assert self._process.stdin is not None
            line = json.dumps({"about": "review", "line": next(iter(self._waiting.values()))})
            self._began = time.monotonic()
            with suppress(OSError):  # it has ended, which is noticed where its answer is read
                self._process.stdin.write(line.encode() + b"\n")
                self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process is not None and self._process.stdout is not None and self._began is not None
        while is_readable(self._process.stdout, 0):
            piece = os.read(self._process.stdout.fileno(), PIECE)
            self._read += piece
            if self._read.endswith(b"\n"):
                self._keep(json.loads(self._read))
                return
            if not piece:
                self._lose()
                return
        if time.monotonic() - self._began > REVIEW_SECONDS:
            self._fail()

    def _lose(self) -> None:
        """Have another process try, or give up the hand: the process has ended over it."""
        self._lost += 1
        if self._lost >= TRIES:
            self._fail()
        else:
            self._stop()

    def _fail(self) -> None:
        """Give up the hand that was asked for, with its process."""
        log.warning("review-not-worked-out", key=next(iter(self._waiting)))
        self._stop()
        self._keep({"error": "no-odds", "text": "this hand cannot be reviewed"})

    def _keep(self, answer: Answer) -> None:
        key, _ = self._waiting.popitem(last=False)
        self._answers[key] = answer
        if len(self._answers) > MOST_KEPT:
            self._answers.popitem(last=False)
        self._read, self._began, self._lost = b"", None, 0

    def _stop(self) -> None:
        self._end()
        self._process, self._end = None, _nothing
        self._read, self._began = b"", None


def _nothing() -> None:
    """End no process: there is none."""
