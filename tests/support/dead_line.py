"""A line between a browser and a site that dies without a word, as when a phone changes its network."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

PIECE = 65536
HEAD_ENDS = b"\r\n\r\n"


class DeadLine:
    """A TCP proxy that can go silent. Connections of before it then stay silent for ever; later ones are new.

    ``site``: host and port of the site, as in its address.
    """

    def __init__(self, site: str) -> None:
        host, _, port = site.rpartition(":")
        self._site = (host, int(port))
        self._lock = Lock()
        self._life, self._is_dead = 0, False
        self._cuts, self._within = 0, "content"
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._acceptor = Thread(target=self._accept, daemon=True)
        self._pumps: list[Thread] = []
        self._acceptor.start()

    def die(self) -> None:
        """Deliver nothing any more, in neither direction, and close nothing."""
        with self._lock:
            self._is_dead, self._life = True, self._life + 1

    def live(self) -> None:
        """Let new connections through."""
        with self._lock:
            self._is_dead, self._life = False, self._life + 1

    def cut(self, answers: int, within: str = "content") -> None:
        """Break the connection in the middle of the ``head`` or the ``content`` of the next answers to a POST."""
        self._cuts, self._within = answers, within

    def close(self) -> None:
        """Close everything. The threads end first: one could be about to add a socket."""
        _close(self._listener)
        self._acceptor.join()
        for each in self._sockets:
            _close(each)
        for pump in self._pumps:
            pump.join()

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                life, is_dead = self._life, self._is_dead
            self._sockets.append(browser)
            if is_dead:
                continue
            site = socket.create_connection(self._site)
            self._sockets.append(site)
            posted = Event()
            for from_, to in ((browser, site), (site, browser)):
                pump = Thread(target=self._pump, args=(from_, to, life, posted, from_ is site), daemon=True)
                self._pumps.append(pump)
                pump.start()

    def _pump(self, from_: socket.socket, to: socket.socket, life: int, posted: Event, is_answer: bool) -> None:
        with suppress(OSError):
            while piece := from_.recv(PIECE):
                if self._life != life:
                    return
                if not is_answer and piece.startswith(b"POST "):
                    posted.set()
                if is_answer and self._cuts and posted.is_set():
                    self._cuts -= 1
                    while len(piece) <= (head := _end_of_head(piece)) and (more := from_.recv(PIECE)):
                        piece += more
                    to.sendall(piece[: (head + len(piece)) // 2 if self._within == "content" else head // 2])
                    to.shutdown(socket.SHUT_RDWR)
                    from_.shutdown(socket.SHUT_RDWR)
                    return
                to.sendall(piece)
            if self._life == life:
                to.shutdown(socket.SHUT_WR)


def _close(each: socket.socket) -> None:
    """Close a socket, and wake the thread that waits for it."""
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()


def _end_of_head(answer: bytes) -> int:
    """Return the number of bytes before an answer's content; that of all bytes if there is more of the head to come."""
    head, _, _ = answer.partition(HEAD_ENDS)
    return min(len(head) + len(HEAD_ENDS), len(answer))


@contextmanager
def dead_line(site: str) -> Iterator[DeadLine]:
    """Open a line to a site for this block. Pages have to leave it before the block ends."""
    line = DeadLine(site)
    yield line
    line.close()
