"""The threads that answer: a request gets one when it has come whole, and an address only so many.

Gunicorn gives a thread to a connection as soon as it has said a word, and waits in it for the rest. A few hundred
requests that are never finished would close the house, however slowly they go on.
"""

import errno
import logging
import re
import socket
import struct
import time
from collections import Counter
from threading import BoundedSemaphore, Lock, Thread
from typing import Any, Final

from gunicorn.workers import gthread

from webapp.addresses import address_key
from webapp.config import MAX_BODY_BYTES

PATIENCE: Final = 10
"""Seconds in which a request has to come, head and body; and in which a client has to take more of an answer."""
OF_AN_ADDRESS: Final = 192
"""Threads that work for one address: a class with its live lines, and half of it acting in the same moment; and as many
requests that are still on their way. Not limited where rate limits are off, nor behind a proxy, which all come from."""
UNFINISHED: Final = 1000
"""Requests on their way, from all addresses. If there are more, the oldest is given up: it is the slowest."""
LINGERING: Final = 32
"""Threads that may wait, after an answer, for the client to hang up."""
MOST: Final = 4 * MAX_BODY_BYTES
"""Bytes that are kept of a request on its way."""
_PATIENCE: Final = struct.pack("ll", PATIENCE, 0)
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_EXPECTS: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*(?=\r\n)", re.IGNORECASE)


class Incoming:
    """A request as far as it has come. ``done``: nothing more of it is waited for."""

    def __init__(self, said: bytes) -> None:
        self.said = bytearray(said)
        self.deadline = time.monotonic() + PATIENCE
        self.done = self.whole = False
        self._body: int | None = None

    def read(self, sock: socket.socket) -> bool:
        """Take what is there, without waiting for more, and return whether the request is done."""
        while not (self.done or self._is_enough(sock)):
            try:
                heard = sock.recv(MOST, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except OSError:
                heard = b""
            self.said += heard
            self.done = not heard or len(self.said) > MOST
        self.done = True
        return True

    def _is_enough(self, sock: socket.socket) -> bool:
        """Return whether it is whole, or needs not be. In the end that is for the parser to judge, which finds no more
        to read than this. A body that is too long is not waited for: it is refused by its length."""
        if self._body is None:
            end = self.said.find(b"\r\n\r\n")
            if end < 0:
                return False
            self._body = end + 4
            if (expects := _EXPECTS.search(self.said, 0, self._body)) and b" HTTP/1.1\r\n" in self.said[: self._body]:
                # Gunicorn would say so when it has the whole request. The header goes, so that it is said once.
                del self.said[expects.start() : expects.end()]
                self._body -= expects.end() - expects.start()
                _tell_to_go_on(sock)
        if _CHUNKED.search(self.said, 0, self._body):
            self.whole = len(self.said) > self._body and self.said.endswith(b"0\r\n\r\n")
            return self.whole
        length = _LENGTH.search(self.said, 0, self._body)
        body = int(length[1]) if length else 0
        self.whole = len(self.said) >= self._body + body
        return self.whole or body > MAX_BODY_BYTES


class TimeoutThreadWorker(gthread.ThreadWorker):  # type: ignore[misc]
    """Gunicorn's own, but for these limits, and for who closes a connection: the thread that has answered, which may
    wait for the client to hang up, and not the one that accepts all the others.

    Requests on their way are what gunicorn calls pending: its loop looks after them, and no thread waits.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lock = Lock()
        self._threads: Counter[str] = Counter()
        self._unfinished: Counter[str] = Counter()
        self._lingering = BoundedSemaphore(LINGERING)
        # Neither idle connections nor unfinished requests may be so many that no more are accepted.
        self._most_unfinished = max(LINGERING, min(UNFINISHED, self.max_keepalived // 2))
        self.max_keepalived -= self._most_unfinished
        self.log.error_log.addFilter(_is_news)

    def handle_exit(self, sig: Any, frame: Any) -> None:
        """End all event streams at once: each has a thread that would be waited for.

        In a thread: a signal handler must not wait for a lock that the thread it has interrupted may hold.
        """
        if self.alive:
            Thread(target=self.wsgi.extensions["tables"].close, daemon=True).start()
        super().handle_exit(sig, frame)

    def handle(self, conn: Any) -> Any:
        """Answer one request; what is returned says what becomes of the connection, and false that it is over."""
        address = address_key(str(conn.client[0]))
        with self._lock:
            refused = self._counts and self._threads[address] >= OF_AN_ADDRESS
            self._threads[address] += 1
        try:
            return self._over(conn, graceful=False) if refused else self._answer(conn, address)
        finally:
            self._one_less(self._threads, address)

    def on_pending_socket_readable(self, conn: Any, client: Any) -> None:
        """Read on, in the loop; a thread takes over when the request is done."""
        if conn.request.read(conn.sock):
            self._hand_over(conn)

    def murder_pending(self) -> None:
        """Hand over what has not come in time, to be refused."""
        now, pending = time.monotonic(), self.pending_conns
        while pending and (pending[0].request.deadline <= now or len(pending) > self._most_unfinished):
            pending[0].request.done = True
            self._hand_over(pending[0])

    def _hand_over(self, conn: Any) -> None:
        self._one_less(self._unfinished, address_key(str(conn.client[0])))
        super().on_pending_socket_readable(conn, conn.sock)

    def _answer(self, conn: Any, address: str) -> Any:
        request = getattr(conn, "request", None)
        if request is None:
            conn.init()
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _PATIENCE)
            request = conn.request = Incoming(conn.parser.unreader.take_buffered())
        if not request.read(conn.sock):
            return self._defer(conn, address)
        conn.request = None
        if not request.said:
            return self._over(conn, graceful=False)
        conn.parser.unreader.chunk = _no_more
        conn.parser.unreader.unread(bytes(request.said))
        kept = super().handle(conn) and request.whole
        return kept or self._over(conn, graceful=True)

    def _defer(self, conn: Any, address: str) -> Any:
        with self._lock:
            refused = self._counts and self._unfinished[address] >= OF_AN_ADDRESS
            if not refused:
                self._unfinished[address] += 1
        return self._over(conn, graceful=False) if refused else gthread._DEFER  # noqa: SLF001

    def _one_less(self, counter: Counter[str], address: str) -> None:
        with self._lock:
            counter[address] -= 1
            if not counter[address]:
                del counter[address]

    def _over(self, conn: Any, graceful: bool) -> bool:
        lingers = graceful and self._lingering.acquire(blocking=False)
        try:
            conn.close(lingers)
        finally:
            if lingers:
                self._lingering.release()
        conn.close = _is_closed
        return False

    @property
    def _counts(self) -> bool:
        config = self.wsgi.extensions["config"]
        return config.rate_limits and not config.public_url


def _tell_to_go_on(sock: socket.socket) -> None:
    try:
        sock.send(b"HTTP/1.1 100 Continue\r\n\r\n", socket.MSG_DONTWAIT)
    except OSError:
        pass  # whoever has gone is noticed by reading


def _no_more(_size_hint: int | None = None) -> bytes:
    """What the parser hears when it wants more than has come: not the end, or half a form would be taken for all."""
    raise BlockingIOError(errno.EAGAIN, "the request has not come in time")


def _is_closed(graceful: bool = False) -> None:
    """Nothing is left to be done."""


def _is_news(record: logging.LogRecord) -> bool:
    """Whoever never finished a request leaves no trace: they could fill the log with it."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
