"""Messages between the processes that share a PostgreSQL database, by LISTEN and NOTIFY."""

import os
import time
from collections.abc import Callable, Iterable
from threading import Lock, Thread
from typing import Final

import structlog
from sqlalchemy import text

from webapp.extensions import db

log = structlog.get_logger()

CHANNEL: Final = "tefuda_tables"
INTERVAL: Final = 1.0
"""Seconds between two calls of ``outgoing``; also the time before a lost connection is opened again."""


class Listener:
    """A thread that listens for notifications, with a connection outside of the pool. It runs until the process ends.

    Args:
        database_url: URL of the PostgreSQL database.
        on_connect: Called for each new connection. Earlier messages may have been missed.
        on_message: Called with each message, including those of this process.
        outgoing: Called about once a second; returns messages to send.
    """

    def __init__(
        self,
        database_url: str,
        on_connect: Callable[[], None],
        on_message: Callable[[str], None],
        outgoing: Callable[[], Iterable[str]],
    ) -> None:
        self._url = database_url.replace("postgresql+psycopg://", "postgresql://", 1)
        self._on_connect, self._on_message, self._outgoing = on_connect, on_message, outgoing
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start the thread, unless it is running. A forked process needs its own."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="tables-listener", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        import psycopg

        while True:
            try:
                self._listen()
            except psycopg.Error as error:
                log.warning("listener lost", error=type(error).__name__)
                time.sleep(INTERVAL)

    def _listen(self) -> None:
        import psycopg

        name = f"tefuda-listener-{os.getpid()}"
        with psycopg.connect(self._url, autocommit=True, application_name=name) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._on_connect()
            while True:
                for notification in connection.notifies(timeout=INTERVAL, stop_after=64):
                    self._on_message(notification.payload)
                for message in self._outgoing():
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, message))


def send_with_commit(message: str) -> None:
    """Send a message to all processes when the current transaction is committed, and only then."""
    db.session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": message})
