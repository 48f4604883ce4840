"""Messages of event streams, compressed once and sent to any number of streams.

A gzip stream (RFC 1952) is a header, blocks of compressed bytes and a trailer. A block that was compressed by itself
and ends with a full flush refers to nothing before it: the same bytes can follow whatever a stream has been sent, and
all of it can be read as soon as it has come. The trailer holds a checksum of all that the stream said, which is
computed from the checksums of its messages.
"""

import zlib
from array import array
from functools import lru_cache
from typing import Final

LEVEL: Final = 6
_RAW: Final = -zlib.MAX_WBITS
_HEADER: Final = bytes((0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255))
"""Header without file name, time and operating system."""
_LAST_BLOCK: Final = b"\x03\x00"
_POLYNOMIAL: Final = 0xEDB88320
"""Polynomial of CRC-32 in the usual reversed form: the highest bit is the coefficient of the lowest power."""
_ALL: Final = 0xFFFFFFFF
"""All bits of a CRC, which is stored inverted."""


def _shift_table(length: int) -> "array[int]":
    """Return a table with which a CRC is advanced over ``length`` zero bytes, as zlib's ``crc32_combine`` does.

    Advancing is linear in the bits of the CRC, so it is looked up for each group of four bits and the results are
    combined by exclusive or: 16 entries for each group, the lowest bits first.
    """
    highest = zlib.crc32(bytes(length), 0x80000000 ^ _ALL) ^ _ALL
    of_bits = [highest]
    while len(of_bits) < 32:
        highest = highest >> 1 ^ (_POLYNOMIAL if highest & 1 else 0)
        of_bits.append(highest)
    of_bits.reverse()
    sums = array("I")
    for lowest in range(0, 32, 4):
        some = [0]
        for of_bit in of_bits[lowest : lowest + 4]:
            some += [of_lower ^ of_bit for of_lower in some]
        sums.extend(some)
    return sums


class Message:
    """One or several events, compressed and, on demand, uncompressed.

    Args:
        plain: The lines, with the empty one at the end.
    """

    __slots__ = ("_checksum", "_plain", "_shift_table", "length", "packed")

    def __init__(self, plain: bytes) -> None:
        packer = zlib.compressobj(LEVEL, wbits=_RAW)
        self.packed = packer.compress(plain) + packer.flush(zlib.Z_FULL_FLUSH)
        self.length = len(plain)
        self._checksum = zlib.crc32(plain)
        self._shift_table = _shift_table(len(plain))
        self._plain: bytes | None = None

    @property
    def plain(self) -> bytes:
        """The uncompressed lines. They are computed at the first use, since most clients accept gzip."""
        if self._plain is None:
            self._plain = zlib.decompressobj(_RAW).decompress(self.packed)
        return self._plain

    def checksum_after(self, before: int) -> int:
        """Return the checksum of a stream after this message. ``before``: its checksum before.

        It is one expression, because it is evaluated for each message and stream. bench: tables.
        """
        of = self._shift_table
        return (
            of[before & 15]
            ^ of[16 + (before >> 4 & 15)]
            ^ of[32 + (before >> 8 & 15)]
            ^ of[48 + (before >> 12 & 15)]
            ^ of[64 + (before >> 16 & 15)]
            ^ of[80 + (before >> 20 & 15)]
            ^ of[96 + (before >> 24 & 15)]
            ^ of[112 + (before >> 28)]
            ^ self._checksum
        )


@lru_cache(maxsize=64)
def short_message(plain: bytes) -> Message:
    """Return a message that many streams are sent at about the same time, such as a version or a beat."""
    return Message(plain)


class PlainStream:
    """A stream that is not compressed."""

    coding: Final = ""

    def begin(self) -> bytes:
        """Return what stands before the first message."""
        return b""

    def add(self, *messages: Message) -> bytes:
        """Return what is to be sent for messages, one after the other."""
        return b"".join([message.plain for message in messages])

    def end(self) -> bytes:
        """Return what stands after the last message."""
        return b""


class GzipStream:
    """A stream of gzip. Called in the order in which it is sent."""

    __slots__ = ("_checksum", "_length")
    coding: Final = "gzip"

    def __init__(self) -> None:
        self._checksum = self._length = 0

    def begin(self) -> bytes:
        """Return what stands before the first message."""
        return _HEADER

    def add(self, *messages: Message) -> bytes:
        """Return what is to be sent for messages, one after the other."""
        for message in messages:
            self._checksum = message.checksum_after(self._checksum)
            self._length += message.length
        return b"".join([message.packed for message in messages])

    def end(self) -> bytes:
        """Return what stands after the last message: without it a client could not tell the end from a broken line."""
        trailer = self._checksum.to_bytes(4, "little") + (self._length & _ALL).to_bytes(4, "little")
        return _LAST_BLOCK + trailer


Encoding = PlainStream | GzipStream
