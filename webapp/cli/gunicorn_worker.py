"""The threads that answer: how long one waits for the rest of a request, and how many work for one address.

Gunicorn gives a thread to a connection as soon as it has said a word. Without this a few hundred requests that are
never finished, all from one machine, would close the house.
"""

import logging
import socket
import struct
from collections import Counter
from threading import Lock
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

PATIENCE: Final = 10
"""Seconds without a word, in the middle of a request, after which a connection is over."""
OF_AN_ADDRESS: Final = 192
"""Threads that work for one address: a class with its live lines, and half of it acting in the same moment. Not limited
where rate limits are off, nor behind a proxy, which all come from and which waits for whole requests itself."""
_PATIENCE: Final = struct.pack("ll", PATIENCE, 0)


class TimeoutThreadWorker(ThreadWorker):  # type: ignore[misc]
    """Gunicorn's own, but for these two limits, and for who closes a connection: the thread that has answered, which
    may wait for the client to hang up, and not the one that accepts all the others.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lock = Lock()
        self._threads: Counter[str] = Counter()
        self.log.error_log.addFilter(_is_news)

    def handle(self, conn: Any) -> Any:
        """Answer one request; what is returned says what becomes of the connection, and false that it is over."""
        address = str(conn.client[0])
        with self._lock:
            refused = self._counts and self._threads[address] >= OF_AN_ADDRESS
            self._threads[address] += 1
        try:
            if refused:
                return _over(conn, graceful=False)
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _PATIENCE)
            return super().handle(conn) or _over(conn, graceful=True)
        finally:
            with self._lock:
                self._threads[address] -= 1
                if not self._threads[address]:
                    del self._threads[address]

    @property
    def _counts(self) -> bool:
        config = self.wsgi.extensions["config"]
        return config.rate_limits and not config.public_url


def _over(conn: Any, graceful: bool) -> bool:
    conn.close(graceful)
    conn.close = _is_closed
    return False


def _is_closed(graceful: bool = False) -> None:
    """Nothing is left to be done."""


def _is_news(record: logging.LogRecord) -> bool:
    """Whoever never finished a request leaves no trace: they could fill the log with it."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
