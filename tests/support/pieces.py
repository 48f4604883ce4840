"""An event stream of given pieces, for tests of the connections on which streams are sent."""

from collections.abc import Iterable

from webapp.event_loop import handover


class Pieces(handover.Stream):
    """Sends pieces as fast as the client takes them, and then the ``end``.

    ``sent``, ``refused``: numbers of pieces. ``closed``: how often it was closed.
    """

    def __init__(self, pieces: Iterable[bytes], end: bytes = b"end") -> None:
        self._pieces, self._end = iter(pieces), end
        self._next: bytes | None = None
        self.client: handover.Client | None = None
        self.sent = self.refused = self.closed = 0

    def begin(self, client: handover.Client) -> None:
        self.client = client
        self._next = next(self._pieces, None)
        self.resume()

    def resume(self) -> None:
        while self.client and self._next is not None:
            if not self.client.send(self._next):
                self.refused += 1
                return
            self.sent += 1
            self._next = next(self._pieces, None)
        if self.client:
            self.client.finish(self._end)
            self.client = None

    def close(self) -> None:
        self.client = None
        self.closed += 1


class Open(handover.Stream):
    """Sends one piece, and nothing more until it is closed."""

    def __init__(self, piece: bytes = b"data: x\n\n") -> None:
        self._piece = piece
        self.closed = 0

    def begin(self, client: handover.Client) -> None:
        assert client.send(self._piece)

    def resume(self) -> None:
        pass

    def close(self) -> None:
        self.closed += 1
