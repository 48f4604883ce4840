"""What asyncio's transports lack: small send buffers, closing at once, and no reference to themselves."""

import asyncio
import socket
import struct
from typing import Final

MOST_UNSENT: Final = 32 * 1024
"""Bytes of a stream that the kernel buffers, about, and as many that the process buffers."""


def limit_buffers(transport: asyncio.Transport) -> None:
    """Limit the data that kernel and process buffer for a client that does not read.

    A stream may be pushed for hours to a suspended page, and the kernel alone would buffer four megabytes of it.
    """
    sock = transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNSENT)
    transport.set_write_buffer_limits(high=MOST_UNSENT)


def drop(transport: asyncio.Transport) -> None:
    """Close a connection at once, with a reset if data is unsent.

    Otherwise the kernel would keep up to four megabytes for minutes, for a client that does not read.
    """
    sock = transport.get_extra_info("socket")
    if sock is not None and transport.get_write_buffer_size():
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def forget_reader(transport: asyncio.BaseTransport) -> None:
    """Delete the bound method that a closed transport of asyncio keeps of itself.

    Otherwise its memory would only be freed by a collection of the oldest generation, which is rare.
    """
    vars(transport).pop("_read_ready_cb", None)
