"""The text of an event stream as a client receives it: headers, chunked encoding, and gzip if the headers say so.

A thousand clients in one process that receive the same bytes decode them once: the site compresses each chunk
independently of those before it.
"""

import zlib
from functools import lru_cache
from typing import Final

GZIP: Final = "Accept-Encoding: gzip, deflate, br, zstd\r\n"
"""What browsers say."""
_GZIP_HEADER: Final = 10


@lru_cache(maxsize=512)
def _chunks(data: bytes) -> tuple[tuple[bytes, ...], int]:
    """Return the complete chunks, and the number of bytes they take up."""
    found, at = [], 0
    while (end := data.find(b"\r\n", at)) >= 0:
        size = int(data[at:end], 16)
        if len(data) < end + 2 + size + 2:
            break
        found.append(data[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return tuple(found), at


@lru_cache(maxsize=512)
def _unpacked(chunk: bytes) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(chunk)


class EventText:
    """The text of one stream. ``head`` is empty until the headers are complete."""

    def __init__(self) -> None:
        self.head = b""
        self._raw = b""
        self._to_skip = 0
        self._is_packed = False

    def add(self, data: bytes) -> bytes:
        """Add received bytes; return the text that they complete."""
        raw = self._raw + data if self._raw else data
        if not self.head:
            head, _, rest = raw.partition(b"\r\n\r\n")
            if len(head) == len(raw):
                self._raw = raw
                return b""
            self.head, raw = head, rest
            self._is_packed = b"content-encoding: gzip" in head.lower()
            self._to_skip = _GZIP_HEADER if self._is_packed else 0
        chunks, size = _chunks(raw)
        self._raw = raw[size:]
        if not self._is_packed:
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)
        if chunks and self._to_skip:
            chunks = (chunks[0][self._to_skip :], *chunks[1:])
            self._to_skip = 0
        texts = [_unpacked(chunk) for chunk in chunks]
        return texts[0] if len(texts) == 1 else b"".join(texts)
