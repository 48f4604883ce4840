"""Attacks with many connections, and a player whose response times are measured meanwhile."""

import socket
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

from tests.support.moves import finished
from tests.support.player import Answer, Fields, Player
from tests.support.raw_clients import connect
from tests.support.server import Server

GOAL = 0.1
"""Seconds that a card action may take, half of all, whatever others do."""
PAUSE = 0.05
"""Seconds between two hands of who plays meanwhile: a minute of an attack is looked at all along, and not filled."""


class Timed(Player):
    """A solo player who records the seconds that each action takes."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.taken: list[float] = []

    def _ask(self, method: str, path: str, fields: Fields, headers: dict[str, str]) -> Answer:
        began = time.monotonic()
        answer = super()._ask(method, path, fields, headers)
        assert answer.status in (200, 201), answer.text
        self.taken.append(time.monotonic() - began)
        return answer

    def play(self, actions: int, goes_on: Callable[[], bool] = lambda: False) -> None:
        """Play hands until this many actions are done and ``goes_on`` returns False."""
        wanted = len(self.taken) + actions
        while len(self.taken) < wanted or goes_on():
            self.sit("poker")
            self.deal("cut")
            finished(self)
            time.sleep(PAUSE)


def seconds_of_an_action(server: Server, actions: int, goes_on: Callable[[], bool] = lambda: False) -> float:
    """Return the median time of this many actions or more."""
    player = Timed(server.url)
    player.play(actions, goes_on)
    return statistics.median(player.taken)


class Attack:
    """Many connections that repeat the same thing; those that the server closes are reopened.

    begin: Bytes that are sent first. go_on: Called with each connection every ``every`` seconds; raises OSError if it
    is closed. buffer: Size of the receive buffer in bytes; 0 is the system's default.
    """

    def __init__(
        self,
        server: Server,
        lines: int,
        begin: bytes,
        go_on: Callable[[socket.socket], None],
        every: float = 1.0,
        buffer: int = 0,
    ) -> None:
        self._server, self._begin, self._go_on, self._every, self._buffer = server, begin, go_on, every, buffer
        self._lines: list[socket.socket | None] = [None] * lines
        self._stop = Event()
        self._thread = Thread(target=self._run)
        self.lines = lines
        self.opened = self.steps = 0

    def __enter__(self) -> "Attack":
        self._step()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        for line in self._lines:
            if line is not None:
                line.close()

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            self._step()

    def _step(self) -> None:
        for number, line in enumerate(self._lines):
            try:
                if line is None:
                    self._lines[number] = self._open()
                else:
                    self._go_on(line)
                    self.steps += 1
            except BlockingIOError:
                pass
            except OSError:
                if line is not None:
                    line.close()
                self._lines[number] = None

    def _open(self) -> socket.socket:
        line = connect(self._server, self._buffer)
        line.sendall(self._begin)
        line.setblocking(False)
        self.opened += 1
        return line


def read_a_byte(line: socket.socket) -> None:
    """Read one byte. OSError if the server has closed the connection, even if earlier data is still unread."""
    if line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) or line.recv(1) == b"":
        raise ConnectionError("the server has hung up")


def send_a_byte(line: socket.socket) -> None:
    """Send one byte. OSError if the server has responded, which ends the request."""
    line.send(b"a")
    with suppress(BlockingIOError):
        line.recv(1000)
        raise ConnectionError("it was answered")
