"""Settings of gunicorn, for ``tefuda serve`` and for ``gunicorn wsgi:app`` (see ``gunicorn.conf.py``)."""

import ctypes
import gc
import json
import logging
import re
import resource
import sys
import traceback
from contextlib import suppress
from datetime import UTC, datetime
from threading import Thread
from typing import Any, Final

from gunicorn.glogging import Logger

from webapp.cli.server.gunicorn_worker import UNFINISHED, TimeoutThreadWorker
from webapp.config import SERVER_THREADS, Config
from webapp.services.lab import supervisor

TURN: Final = 0.02
"""Seconds a thread may compute before another gets its turn. An answer takes a few milliseconds, so most are finished
in one go; at Python's own 5 ms a crowd of threads spends a sixth of the processor on changing places, and all wait."""
OTHER_FILES: Final = 256
"""That are open besides the connections: database, templates, static files."""
_ADDRESS: Final = re.compile(r" from ip=\S+")
_PATH: Final = re.compile(r"/[^\s'\"]+")


def settings(config: Config) -> dict[str, Any]:
    """Return gunicorn's settings for one process with many threads, and raise the limit of open files for them."""
    threads = SERVER_THREADS + config.streams
    return {
        "bind": config.origin,
        "worker_class": TimeoutThreadWorker,
        "workers": 1,
        "threads": threads,
        "worker_connections": min(2 * threads + 1000 + UNFINISHED, max(_files() - OTHER_FILES, threads)),
        "keepalive": 30,
        "graceful_timeout": 5,
        "control_socket_disable": True,
        "loglevel": "warning",
        "logger_class": JsonLogger,
        "post_worker_init": _begin,
    }


class JsonLogger(Logger):  # type: ignore[misc]
    """Gunicorn's own messages as lines of JSON, among the site's."""

    def setup(self, cfg: Any) -> None:
        """Set the loggers up as gunicorn does, but for the format."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(JsonFormatter())


class JsonFormatter(logging.Formatter):
    """One line of JSON a message, without paths and addresses: a path may hold the code of a private table."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line. Of an error it has the kind and the places, not its words."""
        line: dict[str, Any] = {
            "event": "server",
            "message": _PATH.sub("/...", _ADDRESS.sub("", record.getMessage()))[:500],
            "level": record.levelname.lower(),
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            line["error"] = type(error).__name__
            line["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        return json.dumps(line)


def _begin(worker: Any) -> None:
    """Tune the process that answers, and start the housekeeping of shared tables and the watch over the lab."""
    _share_memory()
    _look_for_cycles_less_often()
    sys.setswitchinterval(TURN)
    app = worker.wsgi
    app.extensions["housekeeping"].start()
    arguments = (app.extensions["config"], app.app_context)
    Thread(target=supervisor.watch, args=arguments, name="lab-watch", daemon=True).start()


def _files() -> int:
    """Raise the limit of open files as far as the system allows, and return how many it is then. Each connection is
    one; by itself a process may often have 1,024, which a class and a few slow clients fill."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS allows less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def _share_memory() -> None:
    """Have the threads share two heaps. By itself glibc gives each thread one, and the process grows by 20 MB for it
    (see ``mallopt(3)``, M_ARENA_MAX); where there is no glibc there is nothing to do."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(-8, 2)


def _look_for_cycles_less_often() -> None:
    """What the house is made of stays until it closes, so the collector need not look at it; and an answer makes
    thousands of objects that go by themselves: at Python's own threshold it would look for cycles a dozen times."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
