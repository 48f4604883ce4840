"""Child processes of the site that compute odds; ``calculator`` is the program that they run."""

import os
import select
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Final
from weakref import finalize

import structlog

from webapp.config import Config
from webapp.services.core.child_processes import inherited_environment, open_log, python_path
from webapp.services.core.errors import Refusal
from webapp.services.odds.store import FOLDER

log = structlog.get_logger()

REFUSED: Final = 3
"""Exit status where tables cannot be built: without Numba those of several exchanges are not."""
ANSWER_SECONDS: Final = 5.0
"""Longest time of one answer. Whatever takes longer is given up, with its process."""
START_SECONDS: Final = 60.0
"""Longest time of the first answer of a process, which has to load what it needs."""
BUILD_SECONDS: Final = 1800.0
"""Longest time in which the tables of one question are built, at the lowest priority."""
MOST_BUILDS: Final = 12
"""Questions that wait for their tables. Whoever asks for more is asked to come back."""
ANSWERING: Final = frozenset({"answer", "review"})
"""Tasks that answer, line by line."""
PRIORITIES: Final = {"answer": 10, "review": 15}
"""Below the site's own, and above the lab's: somebody waits, or reads something else meanwhile."""
LOWEST_PRIORITY: Final = 19
_PROGRAM: Final = "from webapp.services.odds.calculator import main; main()"


class Answerer:
    """One process that answers questions, one at a time. It is started when there is one, and again if it is gone."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = _nothing

    def ask(self, line: str) -> str:
        """Return the answer to a question, both a line of JSON. The caller lets one question through at a time.

        Raises:
            Refusal: ``odds-later``: it took too long, or the process has failed.
        """
        fresh = self._process is None or self._process.poll() is not None
        process = self._start() if fresh else self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        found = b""
        with suppress(OSError):
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            if is_readable(process.stdout, START_SECONDS if fresh else ANSWER_SECONDS):
                found = process.stdout.readline()
        if not found.endswith(b"\n"):
            self.stop()
            log.warning("odds-not-answered", fresh=fresh)
            raise Refusal("odds-later")
        return found.decode()

    @property
    def pid(self) -> int | None:
        """The process that answers, None if there is none."""
        return self._process.pid if self._process else None

    def stop(self) -> None:
        """End the process."""
        self._end()
        self._process = None

    def _start(self) -> subprocess.Popen[bytes]:
        self._end()
        self._process = process = start_process(self._config, "answer")
        self._end = finalize(self, end_process, process)
        return process


class Builds:
    """Processes that build tables one after another. Each question about their progress starts the next one.

    Args:
        config: Settings of the site.
        task: One of the LANES of ``calculator``.
    """

    def __init__(self, config: Config, task: str) -> None:
        self._config = config
        self._task = task
        self._waiting: OrderedDict[str, str] = OrderedDict()
        """Questions by the name of the tables that they wait for."""
        self._refused: set[str] = set()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._began = 0.0
        self._end: Callable[[], object] = _nothing

    def want(self, name: str, line: str) -> None:
        """Have the tables of a question built, of which the first that is missing has this name.

        Raises:
            Refusal: ``odds-later``: too many wait. ``odds-not-here``: they cannot be built here.
        """
        if self._config.lab_workers == 0:
            raise Refusal("odds-not-here")
        with self._lock:
            self._advance()
            if name in self._refused:
                raise Refusal("odds-not-here")
            if not self._is_waiting(name, line):
                if len(self._waiting) >= MOST_BUILDS:
                    raise Refusal("odds-later")
                self._waiting[name] = line
            self._advance()

    def wait(self, name: str, line: str, seconds: float) -> bool:
        """Wait for what was wanted. Return False if it is not built by then."""
        deadline = time.monotonic() + seconds
        while True:
            with self._lock:
                self._advance()
                process = self._process
                if not self._is_waiting(name, line):
                    return True
            left = deadline - time.monotonic()
            if left <= 0 or process is None:
                return False
            with suppress(subprocess.TimeoutExpired):
                process.wait(min(left, 0.5))

    def stop(self) -> None:
        """End what is being built, and forget what waits."""
        with self._lock:
            self._end()
            self._process = None
            self._waiting.clear()

    def _is_waiting(self, name: str, line: str) -> bool:
        """Return True if tables wait to be built, for this question or for another."""
        return name in self._waiting or line in self._waiting.values()

    def _advance(self) -> None:
        if self._process is not None:
            status = self._process.poll()
            if status is None:
                if time.monotonic() - self._began > BUILD_SECONDS:
                    self._process.kill()
                return
            name, _ = self._waiting.popitem(last=False)
            self._process = None
            self._end()
            if status:
                log.warning("odds-not-built", exit_status=status)
            if status == REFUSED:
                self._refused.add(name)
        if self._waiting:
            self._process = process = start_process(self._config, self._task)
            self._end = finalize(self, end_process, process)
            self._began = time.monotonic()
            assert process.stdin is not None
            with suppress(OSError):
                process.stdin.write(next(iter(self._waiting.values())).encode() + b"\n")
                process.stdin.flush()


def _nothing() -> None:
    """Do nothing, since no process is running."""


def start_process(config: Config, task: str) -> subprocess.Popen[bytes]:
    """Start a process for a task, see ``calculator``: its answers come through a pipe."""
    with open_log(config.instance / "odds.log") as output:
        process = subprocess.Popen(  # noqa: S603  # our own program; what is asked goes through a pipe
            [sys.executable, "-c", _PROGRAM, task, str(config.instance / FOLDER), str(os.getpid())],
            env=_environment(config),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if task in ANSWERING else output,
            stderr=output,
        )
    # from here and not by itself: what it loads first would take as much processor time as many card actions
    lower = min(os.getpriority(os.PRIO_PROCESS, 0) + PRIORITIES.get(task, LOWEST_PRIORITY), LOWEST_PRIORITY)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process.pid, lower)
    return process


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process, and let go of what leads to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def is_readable(pipe: IO[bytes], seconds: float) -> bool:
    """Return True once there is something to read, or the other end is closed; False if that takes longer."""
    poll = select.poll()  # select() knows no more than 1,024 files
    poll.register(pipe, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


def _environment(config: Config) -> dict[str, str]:
    """Return the environment: this very code and its games, and no key and no database."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return inherited_environment() | threads | {"PYTHONPATH": python_path(), "TEFUDA_GAMES": ",".join(config.games)}
