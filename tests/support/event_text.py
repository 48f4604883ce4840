"""The text of an event stream as a client receives it: headers, then chunked encoding."""

from functools import lru_cache


@lru_cache(maxsize=512)  # a thousand clients in one process receive the same bytes
def _chunks(data: bytes) -> tuple[bytes, int]:
    """Return the text of the complete chunks, and the number of bytes they take up."""
    found, at = [], 0
    while (end := data.find(b"\r\n", at)) >= 0:
        size = int(data[at:end], 16)
        if len(data) < end + 2 + size + 2:
            break
        found.append(data[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return b"".join(found), at


class EventText:
    """The text of one stream. ``head`` is empty until the headers are complete."""

    def __init__(self) -> None:
        self.head = b""
        self._raw = b""

    def add(self, data: bytes) -> bytes:
        """Add received bytes; return the text that they complete."""
        raw = self._raw + data if self._raw else data
        if not self.head:
            head, _, rest = raw.partition(b"\r\n\r\n")
            if len(head) == len(raw):
                self._raw = raw
                return b""
            self.head, raw = head, rest
        text, size = _chunks(raw)
        self._raw = raw[size:]
        return text
